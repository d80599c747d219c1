/// A to-one relationship that refers to rows of an entity, for deletions.
package struct IncomingLink: Sendable {
    package let relationship: EntityRelationship
    /// The relationship in the entity at the other end.
    package let place: RelationshipPlace
    /// Whether deleting its destination nullifies it. Otherwise its row is deleted too, or prevents the deletion.
    package let isNullified: Bool

    /// - Parameter relationship: The destination's inverse.
    /// - Returns: `nil` if a deletion does not change the link, or if the inverse is not to-one.
    package init?(against relationship: EntityRelationship, _ model: Model) {
        guard let inverse = model.inverse(of: relationship), inverse.isToOne, inverse.destinationDelete != .leavesLinks
        else { return nil }
        self.relationship = inverse
        place = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
        isNullified = inverse.destinationDelete == .clearsLinks && inverse.relationship.isOptional
    }
}
