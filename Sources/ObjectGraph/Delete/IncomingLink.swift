/// A to-one relationship that refers to rows of an entity, as deletions see it.
package struct IncomingLink: Sendable {
    package let relationship: EntityRelationship
    /// As the entity at the other end has it.
    package let place: RelationshipPlace
    /// Whether it becomes nil when its destination is deleted. Otherwise its row is deleted too, or prevents that.
    package let isNullified: Bool

    /// - Parameter relationship: the destination's, which refers back.
    /// - Returns: `nil` where a deletion leaves the link as it is, and where it is not to one.
    package init?(against relationship: EntityRelationship, _ model: Model) {
        let effect = DeleteRules.effect(of: relationship)
        guard effect != .nothing, let inverse = model.inverse(of: relationship), inverse.isToOne else { return nil }
        self.relationship = inverse
        place = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
        isNullified = effect == .clearInverse && inverse.relationship.isOptional
    }
}
