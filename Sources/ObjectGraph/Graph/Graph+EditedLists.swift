import Synchronization

/// Marks of members are never reused, because a copy of the members may be restored later.
private let lastMark = Atomic<UInt64>(0)

/// Editing to-many relationships as lists.
extension Graph {
    /// Returns the list kept for a relationship, and the members added since, in order. Stops keeping the list.
    package func takeCachedList(
        of owner: Record, _ relationship: EntityRelationship
    ) -> (list: AnyObject, added: [Record])? {
        guard let index = relationship.toManyIndex, let kept = editedLists.take(of: owner, index),
            let added = added(since: kept.mark, to: relationship, of: owner)
        else { return nil }
        let records = added.compactMap(record)
        return records.count == added.count ? (kept.list, records) : nil
    }

    /// Keeps a list of all members in their order for the next edit.
    package func cache(_ list: AnyObject, count: Int, of owner: Record, _ relationship: EntityRelationship) {
        guard let index = relationship.toManyIndex, let mark = markMembers(of: owner, relationship) else { return }
        editedLists.cache(list, count: count, mark: mark, of: owner, index)
    }

    /// Marks the present members.
    /// - Returns: A mark for `added(since:to:of:)`; `nil` if the members have not been read.
    package func markMembers(of owner: Record, _ relationship: EntityRelationship) -> UInt64? {
        guard let index = relationship.toManyIndex, owner.graph === self, owner.isRead(toMany: index) else {
            return nil
        }
        let mark = lastMark.wrappingAdd(1, ordering: .relaxed).newValue
        owner.withMembers(index) { $0.setMark(mark) }
        return mark
    }

    /// Returns the members added after a mark was set; `nil` if anything else has changed.
    package func added(since mark: UInt64, to relationship: EntityRelationship, of owner: Record) -> [ObjectID]? {
        guard let index = relationship.toManyIndex, owner.graph === self, !owner.isGone else { return nil }
        return owner.withMembers(index) { $0.mark == mark ? $0.addedSinceMark : nil }
    }

    /// Appends members. Objects of no graph are inserted into the owner's. Existing members keep their position, and
    /// deleted objects are left out.
    /// - Returns: Whether all of them are members now and none was before.
    /// - Complexity: O(1) for each.
    package static func append(
        _ members: [Member], to relationship: EntityRelationship, of owner: Member
    ) -> Bool {
        owner.record.graph?.resolveWhenAsked()
        // An object pending deletion gets no links, which would outlive its row. A link would insert an object without
        // a row again.
        if owner.record.isDeleted || owner.record.isGone { return false }
        let live = members.filter { !$0.record.isGone && !$0.record.isDeleted }
        guard let graph = unite(owner, with: live, by: relationship) else { return false }
        var isExact = live.count == members.count
        for member in live {
            if graph.has(member.record, relationship, of: owner.record) {
                isExact = false
            } else {
                graph.connect(owner.record, relationship, member.record)
            }
        }
        return isExact
    }
}
