/// Members of to-many relationships: single ones, and what they were.
extension Graph {
    // MARK: Asking

    /// How many members there are.
    /// - Complexity: O(1) once they are read, as for the next two; none of them becomes an object.
    package func memberCount(of owner: Record, _ relationship: EntityRelationship) -> Int {
        ask(owner, relationship) { $0.count } ?? 0
    }

    /// The member at a place, counted from 0; `nil` beyond the last.
    package func member(at place: Int, of owner: Record, _ relationship: EntityRelationship) -> Record? {
        ask(owner, relationship) { $0.member(at: place) }.flatMap(record)
    }

    /// Whether somebody is a member.
    package func has(_ member: Record, _ relationship: EntityRelationship, of owner: Record) -> Bool {
        ask(owner, relationship) { $0.holds(member.id) } ?? false
    }

    /// Has the members read where they must be to give an answer.
    private func ask<Answer>(
        _ owner: Record, _ relationship: EntityRelationship, _ question: (inout ToManyMembers) -> Answer?
    ) -> Answer? {
        resolveWhenAsked()
        guard let index = relationship.toManyIndex else { return nil }
        if let answer = owner.withMembers(index, question) { return answer }
        readMembers(of: owner, relationship)
        return owner.withMembers(index, question)
    }

    // MARK: One at a time

    /// Adds one member. Who is one already stays where it is.
    /// - Complexity: O(1), without reading the others, where they have been read or the member itself knows to whom it
    ///   belongs: where its end is a key, or it is new. Else the members are read.
    package func add(_ member: Record, to relationship: EntityRelationship, of owner: Record) {
        resolveWhenAsked()
        guard canLink(owner, member), relationship.toManyIndex != nil, !areLinked(owner, relationship, member) else {
            return
        }
        connect(owner, relationship, member)
    }

    /// Removes one member; who is none is passed over.
    /// - Complexity: As `add`.
    package func remove(_ member: Record, from relationship: EntityRelationship, of owner: Record) {
        resolveWhenAsked()
        guard owner.graph === self, !owner.isGone, !owner.isDeleted, areLinked(owner, relationship, member) else {
            return
        }
        disconnect(owner, relationship, fromID: member.id)
    }

    /// Asked of the end that can tell without reading, if one can.
    private func areLinked(_ owner: Record, _ relationship: EntityRelationship, _ member: Record) -> Bool {
        let isKnown = relationship.toManyIndex.flatMap { index in owner.withMembers(index) { $0.holds(member.id) } }
        if let isKnown { return isKnown }
        if member.isInserted { return false }
        guard member.graph === self, let slot = inverse(of: relationship, on: member)?.slot else {
            return has(member, relationship, of: owner)
        }
        // What a fault carries may be older than its row.
        if member.isFault { fire(member) }
        return member.value(slot) == .reference(owner.id)
    }

    // MARK: What they were

    /// Gives a to-many relationship these members without anybody noticing: nothing is saved for it.
    package func setUnnoticed(_ members: [Record], _ relationship: EntityRelationship, of owner: Record) {
        guard let index = relationship.toManyIndex, !owner.isGone else { return }
        let ids = members.filter { $0.graph === self }.map(\.id)
        _ = owner.withMembers(index) { $0.read(ids) }
    }

    /// The members as they are stored, whatever was edited since.
    package func storedMembers(of owner: Record, _ relationship: EntityRelationship) -> [Record] {
        guard let index = relationship.toManyIndex else { return [] }
        _ = memberIDs(of: owner, relationship)
        return (owner.members(index).stored ?? []).compactMap(record).filter { !$0.isGone }
    }

    /// The members as they were before the current event; `nil` where they are the same now.
    package func membersBeforeEvent(of owner: Record, _ relationship: EntityRelationship) -> [Record]? {
        let edits = eventLog.members(of: owner).filter { $0.relationshipIndex == relationship.index }
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
