/// Which objects will probably be deleted next, and how many of them to read for.
///
/// A program that deletes objects one by one would cause several statements for each of them: for its row, and for each
/// relationship with a rule and what that leads to. So for an object that something has to be read for, the same is read
/// for others beside it; nothing but reading is done for those. The more objects there are to read for before the next
/// save, the more are taken along; when they turn out not to be deleted, none are.
struct DeleteReadAhead {
    /// Members of the to-many relationship that the program asked for last: it may be going through them.
    var listed: [ObjectID] = []
    /// Taken along last time.
    private var taken: [ObjectID] = []
    private var next = 0

    private static let most = 1024

    /// How many to take along now.
    /// - Parameter isDeleted: whether an object taken along before was deleted since.
    mutating func count(_ isDeleted: (ObjectID) -> Bool) -> Int {
        let hits = taken.reduce(into: 0) { hits, id in hits += isDeleted(id) ? 1 : 0 }
        let count = 2 * hits >= taken.count ? next : 0
        next = max(1, min(2 * count, Self.most))
        taken = []
        return count
    }

    mutating func didTake(_ ids: [ObjectID]) {
        taken = ids
        if ids.isEmpty { next = 1 }
    }

    /// Identifiers to try, the likeliest first: those listed behind the object, else the keys after its own, of which
    /// many may not be there.
    func neighbours(of id: ObjectID, atMost count: Int) -> [ObjectID] {
        if count == 0 { return [] }
        if let place = listed.firstIndex(of: id) { return Array(listed[(place + 1)...].prefix(count)) }
        let (last, isBeyond) = id.key.addingReportingOverflow(Int64(4 * count + 4))
        return isBeyond ? [] : (id.key + 1...last).map { ObjectID(space: id.space, key: $0) }
    }
}

extension Graph {
    /// Reads what deleting the object leads to, and what deleting its neighbours would.
    /// - Throws: What reading the store throws.
    func readAhead(beside record: Record) throws {
        guard record.graph === self, !record.id.isTemporary, isUnread(record) else { return }
        let count = readAhead.count { identityMap[$0]?.isDeleted ?? true }
        var beside: [Record] = []
        for id in readAhead.neighbours(of: record.id, atMost: count) where beside.count < count {
            guard let neighbour = identityMap[id], neighbour.entity === record.entity, !neighbour.hasChanges,
                isUnread(neighbour)
            else { continue }
            beside.append(neighbour)
        }
        readAhead.didTake(beside.map(\.id))
        if !beside.isEmpty { _ = try closure(of: [record] + beside) }
    }

    /// Whether following the delete rules from the object has to read its row or its members.
    private func isUnread(_ record: Record) -> Bool {
        if record.isFault { return true }
        return record.entity.toManyRelationships.contains { relationship in
            switch DeleteRules.effect(of: relationship) {
            case .nothing, .refuse: false
            case .clearInverse, .deleteDestinations:
                relationship.toManyIndex.map { !record.isRead(toMany: $0) } ?? false
            }
        }
    }
}
