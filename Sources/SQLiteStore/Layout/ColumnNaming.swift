/// Names for the columns of one table (or the tables of one file): upper-cased after a prefix, and told apart by a
/// number where two would be equal. SQLite compares names without case, so the upper-case text is the name's identity.
package struct ColumnNaming {
    private var taken: Set<String>

    /// - Parameter reserved: names that are in use from the start.
    init(reserved: [String] = [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn]) {
        taken = Set(reserved)
    }

    /// The name itself the first time, then with 1, 2, … appended, in the order of the calls.
    mutating func claim(_ base: String) -> String {
        if taken.insert(base).inserted { return base }
        var number = 1
        while !taken.insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }

    /// Column of an attribute's leaf or of a to-one key.
    static func column(_ property: String) -> String { "Z" + property.uppercased() }

    /// Table of a root entity.
    static func table(_ rootEntity: String) -> String { "Z" + rootEntity.uppercased() }

    /// Beside a to-one key: the destination row's entity number.
    static func entityNumberColumn(_ property: String, destination number: Int) -> String {
        "Z\(number)_" + property.uppercased()
    }

    /// Key of a to-many relationship without inverse, on the members' table.
    static func ownedKeyColumn(_ relationship: String, owner number: Int) -> String {
        "Z\(number)" + relationship.uppercased()
    }

    /// Order key beside the to-one key that is the inverse of an ordered relationship.
    static func orderColumn(_ inverse: String) -> String { orderPrefix + inverse.uppercased() }

    /// Order key of an ordered relationship without inverse, or in a join table.
    static func orderColumn(_ relationship: String, number: Int) -> String {
        "\(orderPrefix)\(number)" + relationship.uppercased()
    }

    /// A join table, and likewise each of its key columns.
    static func join(_ relationship: String, number: Int) -> String { "Z_\(number)" + relationship.uppercased() }

    /// Whether a column may be the one that a name was wanted for: the name itself, or with a number that tells it apart.
    static func isName(_ column: String, wanted base: String) -> Bool {
        let (column, base) = (column.uppercased(), base.uppercased())
        return column.hasPrefix(base) && column.dropFirst(base.count).allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether a column of a join table holds places in an order, rather than keys.
    static func isOrder(_ column: String) -> Bool { column.uppercased().hasPrefix(orderPrefix) }

    private static let orderPrefix = "Z_FOK_"

    /// Second column of the join table of a relationship that is its own inverse.
    static let reflexiveColumn = "REFLEXIVE"
}
