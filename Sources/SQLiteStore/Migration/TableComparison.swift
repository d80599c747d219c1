import ObjectGraph
import StoreSQL

/// Finds the tables of a file that can be kept for the destination.
struct TableComparison {
    let source: MigrationSource
    let triggers: TriggerSurvival
    let tables: FileTables

    private var destination: Model { source.mapping.destination }

    /// Whether the table has exactly the needed columns under their names, and its rows need no change.
    func isKept(_ table: TableLayout) -> Bool {
        let mapped = destination[table.rootIndex].familyIndexes.compactMap { source.mapping.entities[$0] }
        guard let first = mapped.first else { return false }
        let formerRoot = source.mapping.source[first.sourceIndex].rootIndex
        return isSame(source.map.entities[formerRoot].table, table.name) && keepsRows(of: formerRoot, in: table)
            && modelColumns(of: source.map.entities[formerRoot].table)
                == Set(table.columns.map { $0.name.uppercased() })
            && mapped.allSatisfy { keepsCells(of: $0, in: table) }
    }

    private func isSame(_ left: String, _ right: String) -> Bool { left.uppercased() == right.uppercased() }

    /// Whether every entity of the hierarchy stays in the table under its number.
    private func keepsRows(of formerRoot: Int, in table: TableLayout) -> Bool {
        source.mapping.source[formerRoot].familyIndexes.allSatisfy { index in
            guard let successor = source.mapping.successors[index] else { return false }
            return destination[successor].rootIndex == table.rootIndex
                && source.newNumber(index) == source.formerNumber(index)
        }
    }

    private func keepsCells(of mapping: EntityMapping, in table: TableLayout) -> Bool {
        let entity = destination[mapping.destinationIndex]
        let origins = RowOrigins(
            source: source, entity: entity, mapping: mapping, abandoned: triggers.abandoned(of: entity))
        return table.columns.allSatisfy { column in
            guard let origin = origins.origin(of: column) else { return true }
            guard case .column(let name) = origin else { return false }
            return isSame(name, column.name) && declaredType(column, mapping) == column.declaredType
        }
    }

    private func declaredType(_ column: TableColumn, _ mapping: EntityMapping) -> String? {
        guard case .leaf(let key, let position) = column.role,
            let attribute = destination[mapping.destinationIndex].attribute(named: key.name)
        else { return column.declaredType }
        let slot = mapping.slotOrigins[attribute.slots.lowerBound + position]
        let former = slot.flatMap { source.map.entities[mapping.sourceIndex].columns.element($0) ?? nil }
        return former?.type.declaredColumnType
    }

    /// Returns the columns of a table that belong to the source's properties.
    private func modelColumns(of table: String) -> Set<String> {
        var names: [String] = source.map.keyColumns(ofTable: table).flatMap(\.names)
        for storage in source.map.entities where storage.table == table {
            for case let column? in storage.columns { names += [column.name] }
        }
        return Set(names.map { $0.uppercased() })
    }

    // MARK: Join tables

    /// Whether the table has the links in columns with the new names.
    func isKept(_ table: JoinTableLayout) -> Bool {
        guard let naming = source.relationship(table.naming), let only = source.allLinks(naming).first,
            source.allLinks(naming).count == 1, isSame(only.table, table.name)
        else { return false }
        let orders = table.orderColumns.map { order in
            (table.naming == order.relationship ? only.owner : only.member, order.column)
        }
        return isSame(only.owner.column, table.firstColumn) && isSame(only.member.column, table.secondColumn)
            && orders.allSatisfy { side, column in side.order.map { isSame($0, column) } ?? false }
            && orders.count == [only.owner.order, only.member.order].count { $0 != nil }
            && !source.removesRows(only.owner.entityIndex) && !source.removesRows(only.member.entityIndex)
    }
}
