/// Assigns names to the columns of one table (or the tables of one file): upper case after a prefix, made unique by a
/// number. SQLite compares names without case, so the upper-case text identifies the name.
package struct ColumnNaming {
    private var taken: Set<String>

    /// - Parameter reserved: Names that are taken from the start.
    init(reserved: [String] = [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn]) {
        taken = Set(reserved)
    }

    /// Returns the name itself at its first use, then with 1, 2, … appended, in the order of the calls.
    package mutating func claim(_ base: String) -> String {
        if taken.insert(base).inserted { return base }
        var number = 1
        while !taken.insert("\(base)\(number)").inserted { number += 1 }
        return "\(base)\(number)"
    }

    /// The column of an attribute's leaf or of a to-one key.
    package static func column(_ property: String) -> String { "Z" + property.uppercased() }

    /// The table of a root entity.
    package static func table(_ rootEntity: String) -> String { "Z" + rootEntity.uppercased() }

    /// The column beside a to-one key, with the destination row's entity number.
    package static func entityNumberColumn(_ property: String, destination number: Int) -> String {
        "Z\(number)_" + property.uppercased()
    }

    /// The key of a to-many relationship without inverse, in the members' table.
    static func ownedKeyColumn(_ relationship: String, owner number: Int) -> String {
        "Z\(number)" + relationship.uppercased()
    }

    /// The order key beside a to-one key that is the inverse of an ordered relationship.
    package static func orderColumn(_ inverse: String) -> String { orderPrefix + inverse.uppercased() }

    /// The order key of an ordered relationship without inverse, or in a join table.
    package static func orderColumn(_ relationship: String, number: Int) -> String {
        "\(orderPrefix)\(number)" + relationship.uppercased()
    }

    /// The name of a join table, and of each of its key columns.
    package static func join(_ relationship: String, number: Int) -> String {
        "Z_\(number)" + relationship.uppercased()
    }

    /// Whether a column may have been named for a wanted name: it equals the name, or adds a number to it.
    static func isName(_ column: String, wanted base: String) -> Bool {
        let (column, base) = (column.uppercased(), base.uppercased())
        return column.hasPrefix(base) && column.dropFirst(base.count).allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether a column of a join table is an order key.
    static func isOrder(_ column: String) -> Bool { column.uppercased().hasPrefix(orderPrefix) }

    private static let orderPrefix = "Z_FOK_"

    /// The second column of the join table of a relationship that is its own inverse.
    static let reflexiveColumn = "REFLEXIVE"
}
