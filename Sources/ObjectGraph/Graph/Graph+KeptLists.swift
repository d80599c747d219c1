import Synchronization

/// Marks of members are never used twice, as a copy of the members may come back later.
private let lastMark = Atomic<UInt64>(0)

/// Editing to-many relationships as lists.
extension Graph {
    /// The list that was kept of a relationship, and the members that came since, in order. It is no longer kept then.
    package func takeKeptList(
        of owner: Record, _ relationship: EntityRelationship
    ) -> (list: AnyObject, added: [Record])? {
        guard let index = relationship.toManyIndex, let kept = keptLists.take(of: owner, index),
            let added = added(since: kept.mark, to: relationship, of: owner)
        else { return nil }
        let records = added.compactMap(record)
        return records.count == added.count ? (kept.list, records) : nil
    }

    /// Keeps a list of all members in their order for the next edit.
    package func keep(_ list: AnyObject, count: Int, of owner: Record, _ relationship: EntityRelationship) {
        guard let index = relationship.toManyIndex, let mark = markMembers(of: owner, relationship) else { return }
        keptLists.keep(list, count: count, mark: mark, of: owner, index)
    }

    /// Marks the members as they are now.
    /// - Returns: a mark for `added(since:to:of:)`; `nil` if the members have not been read.
    package func markMembers(of owner: Record, _ relationship: EntityRelationship) -> UInt64? {
        guard let index = relationship.toManyIndex, owner.graph === self, owner.isRead(toMany: index) else {
            return nil
        }
        let mark = lastMark.wrappingAdd(1, ordering: .relaxed).newValue
        owner.withMembers(index) { $0.setMark(mark) }
        return mark
    }

    /// The members that came after a mark was set; `nil` if anything else has changed.
    package func added(since mark: UInt64, to relationship: EntityRelationship, of owner: Record) -> [ObjectID]? {
        guard let index = relationship.toManyIndex, owner.graph === self, !owner.isGone else { return nil }
        return owner.withMembers(index) { $0.mark == mark ? $0.addedSinceMark : nil }
    }

    /// Adds members at the end; objects that are in no graph are inserted into the owner's. Those that are members already stay
    /// where they are, and those that are deleted are left out.
    /// - Returns: whether all of them are members now and none was before.
    /// - Complexity: O(1) for each.
    package static func append(
        _ members: [Member], to relationship: EntityRelationship, of owner: Member
    ) -> Bool {
        owner.record.graph?.resolveWhenAsked()
        // An object whose deletion is pending gains no links: they would outlive its row.
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
