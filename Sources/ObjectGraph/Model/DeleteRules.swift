/// The one reading of the model's delete rules: what deleting an object does along each of its relationships.
package enum DeleteRules {
    package enum Effect: Sendable, Hashable {
        /// The destinations are left as they are, even where that leaves a dangling key.
        case nothing
        /// The destinations' inverse forgets the deleted object.
        case clearInverse
        case deleteDestinations
        /// The delete is refused while a destination survives.
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

    /// Whether deleting an object removes the links of this relationship: at destinations that stay, and with those that are
    /// deleted.
    package static func removesLinks(_ relationship: EntityRelationship) -> Bool {
        switch effect(of: relationship) {
        case .clearInverse, .deleteDestinations: true
        case .nothing, .refuse: false
        }
    }

    /// Whether an object is not deleted without its destinations: they are deleted too, or refuse.
    package static func takesDestinations(_ relationship: EntityRelationship) -> Bool {
        switch effect(of: relationship) {
        case .deleteDestinations, .refuse: true
        case .nothing, .clearInverse: false
        }
    }

    /// Whether deleting a destination clears this relationship.
    package static func isClearedBack(_ relationship: EntityRelationship, _ model: Model) -> Bool {
        model.inverse(of: relationship).map { effect(of: $0) == .clearInverse } ?? false
    }

    /// Whether deleting a destination does anything along the inverse.
    package static func isFollowedBack(_ relationship: EntityRelationship, _ model: Model) -> Bool {
        model.inverse(of: relationship).map { effect(of: $0) != .nothing } ?? false
    }
}
