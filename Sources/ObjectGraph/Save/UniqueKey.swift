/// A uniqueness constraint in the form in which a store compares rows.
package protocol RowConstraint: Hashable {
    /// Whether the constraint means that a destination has one owner, instead of identifying rows by their values.
    var isOfOwners: Bool { get }
}

extension UniqueConstraint: RowConstraint {}

/// The values of one constraint in one row; null if a composite lacks a part.
package struct UniqueKey<Constraint: RowConstraint>: Hashable {
    package let entityIndex: Int
    package let constraint: Constraint
    package let values: [Value]

    package init(entityIndex: Int, constraint: Constraint, values: [Value]) {
        self.entityIndex = entityIndex
        self.constraint = constraint
        self.values = values
    }

    func isOfSameConstraint(as other: UniqueKey) -> Bool {
        entityIndex == other.entityIndex && constraint == other.constraint
    }
}
