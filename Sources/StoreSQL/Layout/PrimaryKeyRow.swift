/// One row of the primary key table.
package struct PrimaryKeyRow: Sendable, Hashable {
    package let number: Int
    package let name: String
    /// 0 for a root entity.
    package let superNumber: Int
    /// The highest key assigned so far; counted in rows of root entities only.
    package let highestKey: Int64

    /// Whether the row belongs to an entity of the model, rather than to one of Apple's own, such as those of history.
    package var isOfModel: Bool { number < MigrationTables.firstForeignNumber }

    package init(number: Int, name: String, superNumber: Int, highestKey: Int64) {
        self.number = number
        self.name = name
        self.superNumber = superNumber
        self.highestKey = highestKey
    }
}
