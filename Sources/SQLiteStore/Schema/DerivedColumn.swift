import ObjectGraph
import StoreSQL

/// One derived attribute in a file: its column, and the SQL expression of its value.
///
/// The rows on the path to a value have levels: the row itself is at level 0, the destination of the first relationship
/// at level 1, and so on.
struct DerivedColumn {
    let entity: Entity
    let attribute: EntityAttribute
    let value: DerivedValue
    let table: String
    let column: String
    let hops: [Hop]
    /// The column that is read at the last level.
    let source: String?
    /// The entity numbers of rows that have the attribute, if other rows share their table.
    let familyNumbers: [Int]?

    /// One relationship of the path.
    struct Hop {
        let link: Link
        /// The table of the destination rows.
        let table: String

        enum Link {
            /// A key in the source row.
            case key(table: String, column: String)
            /// A key in the destination rows.
            case memberKey(column: String)
            case join(table: String, owner: String, member: String)
        }
    }

    /// - Returns: `nil` for an attribute without a column, which is a transient one.
    init?(_ value: DerivedValue, of attribute: EntityAttribute, _ entity: Entity, _ map: StorageMap) {
        let storage = map.entities[entity.index]
        guard let own = storage.columns.element(attribute.slots.lowerBound) ?? nil,
            [entity.name, attribute.name].allSatisfy(PlainName.isValid)
        else { return nil }
        self.entity = entity
        self.attribute = attribute
        self.value = value
        table = storage.table
        column = own.name
        familyNumbers = entity.isRoot ? nil : storage.familyNumbers
        let owners = [entity] + value.hops.map(map.model.destination)
        hops = zip(value.hops, owners).compactMap { Hop($0, of: $1, map) }
        guard hops.count == value.hops.count else { return nil }
        source =
            value.source.flatMap { source in
                owners.last.flatMap { owner in
                    map.entities[owner.index].columns.element(source.attribute.slots.lowerBound + source.position)
                        ?? nil
                }
            }?.name
        guard (source == nil) == (value.source == nil) else { return nil }
    }

    /// Whether the value needs functions that SQLite does not have.
    var needsFunctions: Bool {
        switch value.kind {
        case .now, .value(.some): true
        case .value(nil), .count, .sum: false
        }
    }

    /// - Parameter event: The event and the role of the table's rows for the attribute.
    func triggerName(_ table: String, _ event: String) -> String {
        "\(MigrationTables.derivationTriggerPrefix)\(table)"
            + MigrationTables.derivationTriggerMark(entity: entity.name, attribute: attribute.name) + event
    }

    // MARK: The value

    /// - Parameter row: The row's alias in the statement.
    func expression(of row: String) -> String {
        switch value.kind {
        case .now: "\(DerivationFunctions.now)()"
        case .value(let change): single(row, change)
        case .count: "(SELECT COUNT(*) \(members(of: row)))"
        case .sum: sum(row)
        }
    }

    private func single(_ row: String, _ change: ScalarFunction?) -> String {
        let cell = "\(hops.isEmpty ? row : alias(hops.count)).\(source ?? column)"
        let changed = change.map { "\(SQLNames.function(of: $0))(\(cell))" } ?? cell
        return hops.isEmpty ? changed : "(SELECT \(changed) \(members(of: row)))"
    }

    /// The sum is 0 without rows.
    private func sum(_ row: String) -> String {
        let cell = "\(alias(hops.count)).\(source ?? column)"
        let total = isWhole ? Self.wholeTotal(cell) : "TOTAL(\(cell))"
        return "(SELECT \(fitted("s")) FROM (SELECT \(total) AS s \(members(of: row))))"
    }

    /// Adds upper and lower halves of the numbers separately, because SQLite's own sum would fail the write if it
    /// overflows 64 bits; this sum becomes a real instead.
    private static func wholeTotal(_ cell: String) -> String {
        "IFNULL(SUM(\(cell) >> 32), 0) * 4294967296 + IFNULL(SUM(\(cell) & 4294967295), 0)"
    }

    /// Converts a sum to the attribute's type. Decimals are added as reals, so their last digits are not exact.
    private func fitted(_ sum: String) -> String {
        if isWhole { return "CASE typeof(\(sum)) WHEN 'integer' THEN \(sum) END" }
        if attribute.attribute.type.isWholeNumber { return "CAST(\(sum) AS INTEGER)" }
        guard value.source?.leaf.type == .decimal else { return sum }
        return "CASE WHEN \(sum) = CAST(\(sum) AS INTEGER) THEN \(sum) ELSE CAST(printf('%.15g', \(sum)) AS REAL) END"
    }

    /// Whether the added values are whole numbers.
    var isWhole: Bool { value.source?.leaf.type.isWholeNumber ?? false }

    private func alias(_ level: Int) -> String { "d\(level)" }

    /// The rows at the end of the path.
    private func members(of row: String) -> String {
        let key = SystemTables.keyColumn
        var (tables, conditions): ([String], [String]) = ([], [])
        for (index, hop) in hops.enumerated() {
            let (former, next) = (index == 0 ? row : alias(index), alias(index + 1))
            switch hop.link {
            case .key(_, let column): conditions.append("\(next).\(key) = \(former).\(column)")
            case .memberKey(let column): conditions.append("\(next).\(column) = \(former).\(key)")
            case .join(let table, let owner, let member):
                let join = "j\(index + 1)"
                tables.append("\(table) AS \(join)")
                conditions += ["\(join).\(owner) = \(former).\(key)", "\(next).\(key) = \(join).\(member)"]
            }
            tables.append("\(hop.table) AS \(next)")
        }
        return "FROM \(tables.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"
    }

    // MARK: Rows with the attribute

    /// A condition, to be appended to another one, for rows that have the attribute; empty if all rows have it.
    func andHasAttribute(_ row: String? = nil) -> String {
        familyNumbers.map { " AND \(row.map { "\($0)." } ?? "")\(SystemTables.entityColumn) IN \(SQLList($0))" } ?? ""
    }

    /// Writes the value into all rows with a different one; the time only into rows without a value.
    var filling: String {
        let value = expression(of: table)
        let condition = self.value.kind == .now ? "\(column) IS NULL" : "\(column) IS NOT \(value)"
        return "UPDATE \(table) SET \(column) = \(value) WHERE \(condition)\(andHasAttribute())"
    }
}

extension DerivedColumn.Hop {
    init?(_ relationship: EntityRelationship, of owner: Entity, _ map: StorageMap) {
        let storage = map.entities[owner.index]
        table = map.entities[relationship.destinationIndex].table
        if let slot = relationship.slot {
            guard let key = storage.columns.element(slot) ?? nil else { return nil }
            link = .key(table: storage.table, column: key.name)
            return
        }
        switch storage.toMany.element(relationship.index) ?? nil {
        case .foreignKey(_, let column, _, _, _)?: link = .memberKey(column: column)
        case .joinTable(let name, let ownerColumn, let memberColumn, _)?:
            link = .join(table: name, owner: ownerColumn, member: memberColumn)
        case nil: return nil
        }
    }
}

extension AttributeType {
    fileprivate var isWholeNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: true
        default: false
        }
    }
}
