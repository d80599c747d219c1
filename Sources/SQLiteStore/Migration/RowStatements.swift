import ObjectGraph
import StoreSQL

/// Fills the new tables from the former ones: rows, then links, then order keys of relationships that were not ordered
/// before.
struct RowStatements {
    let source: MigrationSource
    /// The names of kept tables, in upper case.
    let kept: Set<String>
    let triggers: TriggerSurvival

    private var destination: Model { source.mapping.destination }
    private var tables: [TableLayout] { source.layout.tables.filter { !kept.contains($0.name.uppercased()) } }
    private var joinTables: [JoinTableLayout] {
        source.layout.joinTables.filter { !kept.contains($0.name.uppercased()) }
    }

    var all: [MigrationStatement] {
        tables.flatMap(rows) + joinTables.flatMap(links) + tables.flatMap(orders) + joinTables.flatMap(orders)
    }

    func origins(_ mapping: EntityMapping) -> RowOrigins {
        let entity = destination[mapping.destinationIndex]
        return RowOrigins(
            source: source, entity: entity, mapping: mapping, abandoned: triggers.abandoned(of: entity))
    }

    private func mappings(_ table: TableLayout) -> [EntityMapping] {
        destination[table.rootIndex].familyIndexes.compactMap { source.mapping.entities[$0] }
    }

    // MARK: Rows

    private func rows(_ table: TableLayout) -> [MigrationStatement] {
        mappings(table).map { mapping in
            let origins = origins(mapping)
            let cells = table.columns.compactMap { column in
                origins.origin(of: column).flatMap { $0 == .nothing ? nil : (column.name, $0.sql) }
            }
            let leading = [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn]
            let (row, former) = (RowOrigins.row, source.map.entities[mapping.sourceIndex])
            let values: [SQLText] = [
                SQLText("\(row).\(leading[0])"), "\(source.layout.numbers[mapping.destinationIndex])",
                SQLText("\(row).\(leading[2])"),
            ]
            let text: SQLText = """
                INSERT INTO \(table.name) (\((leading + cells.map(\.0)).joined(separator: ", "))) \
                SELECT \((values + cells.map(\.1)).joined(separator: ", ")) \
                FROM \(source.name(former.table)) AS \(row) WHERE \(source.ownRows(row, mapping.sourceIndex))
                """
            return MigrationStatement(
                text: text, purpose: .rows(entity: destination[mapping.destinationIndex].name))
        }
    }

    /// Assigns order keys that no row has yet.
    private func orders(_ table: TableLayout) -> [MigrationStatement] {
        table.columns.compactMap { column in
            guard case .order(let key) = column.role, let relationship = source.relationship(key) else { return nil }
            let isNew = mappings(table).allSatisfy { mapping in
                origins(mapping).origin(of: column).map { $0 == .nothing } ?? true
            }
            let owner = destination.inverse(of: relationship)?.propertyKey ?? key
            guard isNew, let keyColumn = table.columns.first(where: { $0.role == .key(owner) }) else { return nil }
            return ordering(
                table.name, column.name, owner: keyColumn.name, row: SystemTables.keyColumn, by: SystemTables.keyColumn)
        }
    }

    /// Numbers each owner's members in the order of their keys.
    private func ordering(
        _ table: String, _ column: String, owner: String, row: String, by member: String
    ) -> MigrationStatement {
        let first = Int(OrderKeys.first - OrderKeys.step)
        let text: SQLText = """
            UPDATE \(table) SET \(column) = r.place FROM (SELECT \(row) AS row, \(first) + \(Int(OrderKeys.step)) * \
            row_number() OVER (PARTITION BY \(owner) ORDER BY \(member)) AS place FROM \(table) \
            WHERE \(owner) NOT NULL) AS r WHERE \(table).\(row) = r.row
            """
        return MigrationStatement(text: text, purpose: .order)
    }

    // MARK: Links

    private func links(_ table: JoinTableLayout) -> [MigrationStatement] {
        guard let naming = source.relationship(table.naming) else { return [] }
        return source.allLinks(naming).map { links in
            var columns = [(table.firstColumn, key(links.owner)), (table.secondColumn, key(links.member))]
            for order in table.orderColumns {
                let side = order.relationship == table.naming ? links.owner : links.member
                if let former = side.order { columns.append((order.column, "l.\(former)")) }
            }
            let values = columns.map { "\($1) AS \($0)" }.joined(separator: ", ")
            let names = columns.map(\.0).joined(separator: ", ")
            let text: SQLText = """
                INSERT OR IGNORE INTO \(table.name) (\(names)) SELECT \(names) \
                FROM (SELECT \(values) FROM \(source.name(links.table)) AS l) \
                WHERE \(table.firstColumn) NOT NULL AND \(table.secondColumn) NOT NULL
                """
            return MigrationStatement(
                text: text,
                purpose: .links(entity: destination[naming.declaringIndex].name, relationship: naming.name))
        }
    }

    private func key(_ side: SourceLinks.Side) -> String { source.surviving("l.\(side.column)", side.entityIndex) }

    private func orders(_ table: JoinTableLayout) -> [MigrationStatement] {
        guard let naming = source.relationship(table.naming) else { return [] }
        let links = source.allLinks(naming)
        return table.orderColumns.compactMap { order in
            let isNaming = order.relationship == table.naming
            guard links.allSatisfy({ (isNaming ? $0.owner : $0.member).order == nil }) else { return nil }
            let columns = [table.firstColumn, table.secondColumn]
            let (owner, member) = isNaming ? (columns[0], columns[1]) : (columns[1], columns[0])
            return ordering(table.name, order.column, owner: owner, row: "rowid", by: member)
        }
    }
}
