/// Interprets the model's delete rules: the effect of deleting an object along each of its relationships. All other
/// code uses this interpretation.
package enum DeleteRules {
    package enum Effect: Sendable, Hashable {
        /// The destinations stay unchanged, even if that leaves a dangling reference.
        case nothing
        /// The destinations' references to the deleted object are cleared.
        case clearInverse
        case deleteDestinations
        /// The deletion is refused while a destination survives.
        case refuse
    }

    package static func effect(of relationship: EntityRelationship) -> Effect {
        effect(of: relationship.relationship.deleteRule, hasInverse: relationship.inverseIndex != nil)
    }

    static func effect(of rule: DeleteRule, hasInverse: Bool) -> Effect {
        switch rule {
        case .noAction: .nothing
        case .nullify: hasInverse ? .clearInverse : .nothing
        case .cascade: .deleteDestinations
        case .deny: .refuse
        }
    }

    /// Whether an object can be deleted only together with its destinations, because they are deleted too, or refuse.
    package static func dependsOnDestinations(_ relationship: EntityRelationship) -> Bool {
        switch effect(of: relationship) {
        case .deleteDestinations, .refuse: true
        case .nothing, .clearInverse: false
        }
    }
}
