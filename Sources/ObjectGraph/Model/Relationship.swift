/// A delete rule: the effect of deleting the owner along one relationship. `DeleteRules` interprets the rules.
package enum DeleteRule: Int32, Sendable, Hashable, CaseIterable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3
}

package enum Cardinality: Sendable, Hashable {
    case toOne
    case toMany
}

/// An immutable relationship of an entity.
package struct Relationship: Sendable, Hashable {
    package var name: String
    package var destinationName: String
    package var inverseName: String?
    package var cardinality: Cardinality
    package var deleteRule: DeleteRule = .nullify
    package var isOptional = true
    package var isOrdered = false
    package var isTransient = false
    /// The minimum number of destinations; 0 for none. Checked by `Graph.validationErrors()` at saves, and by
    /// `DeletePlanner` in plans (`DeleteRequest.CountRule`).
    package var minimumCount = 0
    /// The maximum number of destinations at a save; 0 for no limit. To-one relationships have 1.
    package var maximumCount = 0
    package var versionHashModifier: String?
    package var renamingIdentifier: String?

    package init(
        _ name: String, to destinationName: String, _ cardinality: Cardinality, inverse: String? = nil,
        deleteRule: DeleteRule = .nullify, optional: Bool = true
    ) {
        self.name = name
        self.destinationName = destinationName
        self.cardinality = cardinality
        self.inverseName = inverse
        self.deleteRule = deleteRule
        self.isOptional = optional
        self.maximumCount = cardinality == .toOne ? 1 : 0
    }
}
