/// Members of to-many relationships: single ones, and what they were.
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

    /// Gives a to-many relationship these members without anybody noticing: nothing is saved for it.
    package func setUnnoticed(_ members: [Record], _ relationship: EntityRelationship, of owner: Record) {
        guard let index = relationship.toManyIndex, !owner.isGone else { return }
        let ids = members.filter { $0.graph === self }.map(\.id)
        owner.withMembers(index) { $0.read(ids) }
    }

    /// The members as they are stored, whatever was edited since.
    package func storedMembers(of owner: Record, _ relationship: EntityRelationship) -> [Record] {
        guard let index = relationship.toManyIndex else { return [] }
        _ = memberIDs(of: owner, relationship)
        return (owner.members(index).stored ?? []).compactMap(record).filter { !$0.isGone }
    }

    /// The members as they were when touched objects were last taken; `nil` where they are the same now.
    package func membersBeforeEvent(of owner: Record, _ relationship: EntityRelationship) -> [Record]? {
        let edits = touchedMembers.filter { $0.owner === owner && $0.relationshipIndex == relationship.index }
        guard !edits.isEmpty else { return nil }
        let current = memberIDs(of: owner, relationship)
        var before = OrderedIDs()
        for id in current { before.append(id) }
        for edit in edits.reversed() {
            if edit.isAddition { _ = before.remove(edit.member) } else { before.append(edit.member) }
        }
        if Set(before.all) == Set(current) { return nil }
        return before.all.compactMap(record).filter { !$0.isGone }
    }

    private func canLink(_ owner: Record, _ member: Record) -> Bool {
        let isLive = !owner.isGone && !owner.isDeleted && !member.isGone && !member.isDeleted
        return isLive && owner.graph === self && member.graph === self
    }
}
