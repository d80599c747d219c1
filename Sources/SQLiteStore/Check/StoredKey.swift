import ObjectGraph
import StoreSQL

/// A column with keys of other rows: the key of a to-one relationship, or the key that a to-many relationship without an
/// inverse has in its members' table.
struct StoredKey: Sendable {
    /// The entity that declares the relationship.
    let entity: Entity
    let relationship: EntityRelationship
    let table: String
    let column: String
    let numberColumn: String?
    /// The order key beside the key, for members of an ordered relationship.
    let orderColumn: String?
    /// The entity numbers of rows that have the key.
    let rowNumbers: [Int]
    let targetTable: String
    /// The entity numbers that the key may refer to.
    let coveredNumbers: [Int]
    /// The numbers of all other concrete entities in the target's table. Numbers of unknown entities are in neither list:
    /// such rows are reported themselves, and keys to them are kept.
    let foreignNumbers: [Int]
    let kind: Kind
    /// Whether the delete rules can leave the key without its row.
    let mayBeDangling: Bool
    /// Whether the key makes its row a member of the destination's to-many relationship, with or without an inverse.
    let makesMember: Bool

    enum Kind: Sendable {
        case toOne
        /// A to-one key that must have a destination.
        case mandatory
        /// A key that exists only for a to-many relationship.
        case owned
    }

    var property: String { relationship.name }

    // MARK: Conditions on a row `r`

    private typealias Names = SystemTables

    /// Rows that have the key.
    var hasKey: String { "r.\(Names.entityColumn) IN \(SQLList(rowNumbers))" }

    /// The key's row is missing.
    var dangles: String {
        "\(hasKey) AND r.\(column) IS NOT NULL "
            + "AND NOT EXISTS (SELECT 1 FROM \(targetTable) t WHERE t.\(Names.keyColumn) = r.\(column))"
    }

    /// The key's row is of a wrong entity; `nil` if the table has no other entity.
    var refersToOtherEntity: String? {
        foreignNumbers.isEmpty
            ? nil : "\(hasKey) AND \(target) AND t.\(Names.entityColumn) IN \(SQLList(foreignNumbers)))"
    }

    /// The entity number beside the key differs from the row's; `nil` if there is no such column.
    var misnames: String? {
        numberColumn.map { number in
            "\(hasKey) AND \(target) AND t.\(Names.entityColumn) IN \(SQLList(coveredNumbers)) "
                + "AND t.\(Names.entityColumn) IS NOT r.\(number))"
        }
    }

    /// The destination is missing, and no delete rule can be the cause.
    var isOrphaned: String {
        let reasons = [
            "r.\(column) IS NULL", mayBeDangling ? nil : "(\(dangles))", refersToOtherEntity.map { "(\($0))" },
        ]
        return "\(hasKey) AND (\(reasons.compactMap { $0 }.joined(separator: " OR ")))"
    }

    private var target: String { "EXISTS (SELECT 1 FROM \(targetTable) t WHERE t.\(Names.keyColumn) = r.\(column)" }

    /// Returns a condition for a key, in the row named `alias`, without a valid destination.
    func isDanglingTest(_ alias: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(targetTable) u WHERE u.\(Names.keyColumn) = \(alias).\(column) "
            + "AND coalesce(u.\(Names.entityColumn), 0) NOT IN \(SQLList(foreignNumbers)))"
    }
}
