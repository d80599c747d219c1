/// Single members of to-many relationships.
extension Graph {
    /// Adds one member without reading the others.
    package func add(_ member: Record, to relationship: EntityRelationship, of owner: Record) {
        guard canLink(owner, member), relationship.toManyIndex != nil, !leads(owner, relationship, to: member) else {
            return
        }
        connect(owner, relationship, member)
    }

    package func remove(_ member: Record, from relationship: EntityRelationship, of owner: Record) {
        guard owner.graph === self, !owner.isGone, !owner.isDeleted else { return }
        disconnect(owner, relationship, fromID: member.id)
    }

    private func canLink(_ owner: Record, _ member: Record) -> Bool {
        let isLive = !owner.isGone && !owner.isDeleted && !member.isGone && !member.isDeleted
        return isLive && owner.graph === self && member.graph === self
    }
}
