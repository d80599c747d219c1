/// Members of to-many relationships: access to single members, and former members.
extension Graph {
    // MARK: Reading

    /// Returns the number of members.
    /// - Complexity: O(1) once the members have been read, as for the next two functions; none of them creates objects.
    package func memberCount(of owner: Record, _ relationship: EntityRelationship) -> Int {
        ask(owner, relationship) { $0.count } ?? 0
    }

    /// Returns the member at an index; `nil` beyond the last.
    package func member(at place: Int, of owner: Record, _ relationship: EntityRelationship) -> Record? {
        ask(owner, relationship) { $0.member(at: place) }.flatMap(record)
    }

    /// Whether a record is a member.
    package func has(_ member: Record, _ relationship: EntityRelationship, of owner: Record) -> Bool {
        ask(owner, relationship) { $0.holds(member.id) } ?? false
    }

    /// Answers a question about members; reads them if necessary.
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

    /// Adds one member. An existing member keeps its position.
    /// - Complexity: O(1), without reading the other members, if they have been read, if the member has a to-one
    ///   reference to its owner, or if it is new. Otherwise the members are read.
    package func add(_ member: Record, to relationship: EntityRelationship, of owner: Record) {
        resolveWhenAsked()
        guard canLink(owner, member), relationship.toManyIndex != nil, !areLinked(owner, relationship, member) else {
            return
        }
        connect(owner, relationship, member)
    }

    /// Removes one member; does nothing for an object that is none.
    /// - Complexity: As for `add`.
    package func remove(_ member: Record, from relationship: EntityRelationship, of owner: Record) {
        resolveWhenAsked()
        guard owner.graph === self, !owner.isGone, !owner.isDeleted, areLinked(owner, relationship, member) else {
            return
        }
        disconnect(owner, relationship, fromID: member.id)
    }

    /// Uses the end of the link that is known without reading the store, if there is one.
    private func areLinked(_ owner: Record, _ relationship: EntityRelationship, _ member: Record) -> Bool {
        let isKnown = relationship.toManyIndex.flatMap { index in owner.withMembers(index) { $0.holds(member.id) } }
        if let isKnown { return isKnown }
        if member.isInserted { return false }
        guard member.graph === self, let slot = inverse(of: relationship, on: member)?.slot else {
            return has(member, relationship, of: owner)
        }
        // A fault's partial values may be older than its row.
        if member.isFault { fire(member) }
        return member.value(slot) == .reference(owner.id)
    }

    // MARK: Former members

    /// Sets the members of a to-many relationship without notifications and without a change to save.
    package func setUnnoticed(_ members: [Record], _ relationship: EntityRelationship, of owner: Record) {
        guard let index = relationship.toManyIndex, !owner.isGone else { return }
        let ids = members.filter { $0.graph === self }.map(\.id)
        _ = owner.withMembers(index) { $0.read(ids) }
    }

    /// Returns the stored members, without unsaved edits.
    package func storedMembers(of owner: Record, _ relationship: EntityRelationship) -> [Record] {
        guard let index = relationship.toManyIndex else { return [] }
        _ = memberIDs(of: owner, relationship)
        return (owner.members(index).stored ?? []).compactMap(record).filter { !$0.isGone }
    }

    /// Returns the members before the current event; `nil` if they have not changed.
    package func membersBeforeEvent(of owner: Record, _ relationship: EntityRelationship) -> [Record]? {
        let edits = log.members(of: owner).filter { $0.relationshipIndex == relationship.index }
        guard !edits.isEmpty else { return nil }
        let current = memberIDs(of: owner, relationship)
        var before = OrderedIDs()
        for id in current { before.append(id) }
        for edit in edits.reversed() {
            if edit.isAddition { _ = before.remove(edit.id) } else { before.append(edit.id) }
        }
        if Set(before.all) == Set(current) { return nil }
        return before.all.compactMap(record).filter { !$0.isGone }
    }

    private func canLink(_ owner: Record, _ member: Record) -> Bool {
        let isLive = !owner.isGone && !owner.isDeleted && !member.isGone && !member.isDeleted
        return isLive && owner.graph === self && member.graph === self
    }
}
