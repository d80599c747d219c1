import ObjectGraph

/// A column that holds keys of other rows: that of a to-one relationship, or the one a to-many relationship without
/// inverse has on its members' table.
struct StoredKey: Sendable {
    /// Declares the relationship.
    let entity: Entity
    let relationship: EntityRelationship
    let table: String
    let column: String
    let numberColumn: String?
    /// Beside the key of a member of an ordered relationship.
    let orderColumn: String?
    /// Entity numbers of the rows that have the key.
    let rowNumbers: [Int]
    let targetTable: String
    /// Entity numbers the key may lead to.
    let coveredNumbers: [Int]
    /// The other numbers of real entities in the target's table. Rows of unknown entities are in neither list: they are
    /// themselves what is wrong, and keys to them stay.
    let foreignNumbers: [Int]
    let kind: Kind
    /// Whether a deletion may rightly leave the key without its row.
    let mayDangle: Bool
    /// Whether a row with the key is a member of its destination's to-many relationship, with or without inverse.
    let makesMember: Bool

    enum Kind: Sendable {
        case toOne
        /// To-one, and may not be without a destination.
        case mandatory
        /// Exists for a to-many relationship alone.
        case owned
    }

    var property: String { relationship.name }

    // MARK: Conditions on a row `r`

    private typealias Names = SystemTables

    /// Rows that have the key at all.
    var hasKey: String { "r.\(Names.entityColumn) IN \(SQLList(rowNumbers))" }

    /// The row is gone.
    var dangles: String {
        "\(hasKey) AND r.\(column) IS NOT NULL "
            + "AND NOT EXISTS (SELECT 1 FROM \(targetTable) t WHERE t.\(Names.keyColumn) = r.\(column))"
    }

    /// The row is of another entity; `nil` where there is no other.
    var leadsToOther: String? {
        foreignNumbers.isEmpty
            ? nil : "\(hasKey) AND \(target) AND t.\(Names.entityColumn) IN \(SQLList(foreignNumbers)))"
    }

    /// The number beside the key is not the row's; `nil` where there is none.
    var misnames: String? {
        numberColumn.map { number in
            "\(hasKey) AND \(target) AND t.\(Names.entityColumn) IN \(SQLList(coveredNumbers)) "
                + "AND t.\(Names.entityColumn) IS NOT r.\(number))"
        }
    }

    /// There is no destination, and no delete rule can have left it so.
    var isOrphaned: String {
        let reasons = ["r.\(column) IS NULL", mayDangle ? nil : "(\(dangles))", leadsToOther.map { "(\($0))" }]
        return "\(hasKey) AND (\(reasons.compactMap { $0 }.joined(separator: " OR ")))"
    }

    private var target: String { "EXISTS (SELECT 1 FROM \(targetTable) t WHERE t.\(Names.keyColumn) = r.\(column)" }

    /// Whether the key of the row called `alias` leads nowhere it may.
    func leadsNowhere(_ alias: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(targetTable) u WHERE u.\(Names.keyColumn) = \(alias).\(column) "
            + "AND coalesce(u.\(Names.entityColumn), 0) NOT IN \(SQLList(foreignNumbers)))"
    }
}

/// Numbers in parentheses.
struct SQLList: CustomStringConvertible {
    let numbers: [Int]
    init(_ numbers: [Int]) { self.numbers = numbers }
    var description: String { "(" + numbers.map(String.init).joined(separator: ", ") + ")" }
}
