/// What a deletion in chunks may write before it deletes an owner.
extension DeletePlanner {
    /// Whether some of an owner's links may be removed before the owner is deleted without violating the rules: the other
    /// end may have any number of destinations, whatever other rows are deleted, and no cascade from there reaches the
    /// owner through these links.
    package static func mayUnlinkFirst(
        _ relationship: EntityRelationship, _ counts: DeleteRequest.CountRule, _ reading: Reading
    ) -> Bool {
        let model = reading.model
        guard DeleteRules.effect(of: relationship) == .clearInverse, let inverse = model.inverse(of: relationship),
            !model.isOwnInverse(relationship), DeleteRules.effect(of: inverse) != .deleteDestinations
        else { return false }
        return inverse.isToOne ? inverse.relationship.isOptional : counts.refusedCounts(of: inverse, in: model) == nil
    }
}
