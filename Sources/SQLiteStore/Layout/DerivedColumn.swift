import ObjectGraph

/// One derived attribute in a file: where it is, and the SQL that gives its value.
///
/// Rows on the way to a value are at levels: the row itself at 0, what the first relationship leads to at 1, and so on.
struct DerivedColumn {
    let entity: Entity
    let attribute: EntityAttribute
    let value: DerivedValue
    let table: String
    let column: String
    let hops: [Hop]
    /// The column that is read at the last level.
    let source: String?
    /// Of rows that have the attribute, where others share their table.
    let familyNumbers: [Int]?

    /// One relationship in the file.
    struct Hop {
        let link: Link
        /// Of the rows it leads to.
        let table: String

        enum Link {
            /// A key of the row it leads from.
            case key(table: String, column: String)
            /// A key of the rows it leads to.
            case memberKey(column: String)
            case join(table: String, owner: String, member: String)
        }
    }

    /// - Returns: `nil` for what has no place in the file: a transient attribute.
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

    /// Whether SQLite alone cannot compute it.
    var needsFunctions: Bool {
        switch value.kind {
        case .now, .value(.some): true
        case .value(nil), .count, .sum: false
        }
    }

    /// - Parameter event: what befalls rows of the table, and what these are to the attribute.
    func triggerName(_ table: String, _ event: String) -> String {
        "\(MigrationTables.derivationTriggerPrefix)\(table)"
            + MigrationTables.derivationTriggerMark(entity: entity.name, attribute: attribute.name) + event
    }

    // MARK: The value

    /// - Parameter row: what the statement calls the row.
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

    /// 0 for nothing.
    private func sum(_ row: String) -> String {
        let cell = "\(alias(hops.count)).\(source ?? column)"
        let total = isWhole ? Self.wholeTotal(cell) : "TOTAL(\(cell))"
        return "(SELECT \(fitted("s")) FROM (SELECT \(total) AS s \(members(of: row))))"
    }

    /// Where 64 bits do not suffice, this is a real, while SQLite's own sum would make the write fail: so halves of the
    /// numbers are added up.
    private static func wholeTotal(_ cell: String) -> String {
        "IFNULL(SUM(\(cell) >> 32), 0) * 4294967296 + IFNULL(SUM(\(cell) & 4294967295), 0)"
    }

    /// A sum as the attribute has it. Decimals are added up as reals, whose last digits are not theirs.
    private func fitted(_ sum: String) -> String {
        if isWhole { return "CASE typeof(\(sum)) WHEN 'integer' THEN \(sum) END" }
        if attribute.attribute.type.isWholeNumber { return "CAST(\(sum) AS INTEGER)" }
        guard value.source?.leaf.type == .decimal else { return sum }
        return "CASE WHEN \(sum) = CAST(\(sum) AS INTEGER) THEN \(sum) ELSE CAST(printf('%.15g', \(sum)) AS REAL) END"
    }

    /// Whether what is added up are whole numbers.
    var isWhole: Bool { value.source?.leaf.type.isWholeNumber ?? false }

    private func alias(_ level: Int) -> String { "d\(level)" }

    /// The rows that the way leads to.
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

    // MARK: Rows that have it

    /// The condition that a row of the table has the attribute, behind another one; empty where all have it.
    func andHasAttribute(_ row: String? = nil) -> String {
        familyNumbers.map { " AND \(row.map { "\($0)." } ?? "")\(SystemTables.entityColumn) IN \(SQLList($0))" } ?? ""
    }

    /// Writes the value into all rows that have another; the time where there is none.
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
