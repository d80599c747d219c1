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
        switch relationship.relationship.deleteRule {
        case .noAction: .nothing
        case .nullify: relationship.inverseIndex == nil ? .nothing : .clearInverse
        case .cascade: .deleteDestinations
        case .deny: .refuse
        }
    }

    /// Whether deleting an object removes the links of this relationship, to survivors as well as to deleted objects.
    package static func removesLinks(_ relationship: EntityRelationship) -> Bool {
        switch effect(of: relationship) {
        case .clearInverse, .deleteDestinations: true
        case .nothing, .refuse: false
        }
    }

    /// Whether an object can be deleted only together with its destinations, because they are deleted too, or refuse.
    package static func dependsOnDestinations(_ relationship: EntityRelationship) -> Bool {
        switch effect(of: relationship) {
        case .deleteDestinations, .refuse: true
        case .nothing, .clearInverse: false
        }
    }

    /// Whether deleting a destination clears this relationship.
    package static func isClearedBack(_ relationship: EntityRelationship, _ model: Model) -> Bool {
        model.inverse(of: relationship).map { effect(of: $0) == .clearInverse } ?? false
    }

    /// Whether deleting a destination has any effect along the inverse.
    package static func isFollowedBack(_ relationship: EntityRelationship, _ model: Model) -> Bool {
        model.inverse(of: relationship).map { effect(of: $0) != .nothing } ?? false
    }
}
