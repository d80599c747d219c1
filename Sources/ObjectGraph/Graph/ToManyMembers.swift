/// Members of one to-many relationship of one record: what the store has, once read, and what was edited since.
///
/// Edits are kept apart from the stored members, so that linking an object to an owner with a million others reads
/// none of them.
struct ToManyMembers {
    /// As stored; `nil` until read.
    private(set) var stored: [ObjectID]?
    private(set) var added = OrderedIDs()
    private(set) var removed = OrderedIDs()
    /// All members in the order the user gave, where the relationship is ordered and was edited as a whole.
    var givenOrder: [ObjectID]?

    var isEdited: Bool { !added.isEmpty || !removed.isEmpty || givenOrder != nil }
    var isRead: Bool { stored != nil }

    /// Current members; `nil` when the stored ones have not been read.
    var current: [ObjectID]? {
        guard let stored else { return nil }
        if let givenOrder { return givenOrder }
        if !isEdited { return stored }
        let lost = Set(removed.all)
        let kept = lost.isEmpty ? stored : stored.filter { !lost.contains($0) }
        if added.isEmpty { return kept }
        if kept.isEmpty { return added.all }
        let known = Set(kept)
        return kept + added.all.filter { !known.contains($0) }
    }

    mutating func read(_ members: [ObjectID]) {
        stored = members
        // What was added here and meanwhile saved elsewhere is no addition any more.
        if !added.isEmpty { for id in members { _ = added.remove(id) } }
    }

    mutating func add(_ id: ObjectID) {
        if !removed.remove(id) { added.append(id) }
        if givenOrder != nil, givenOrder?.contains(id) == false { givenOrder?.append(id) }
    }

    mutating func remove(_ id: ObjectID) {
        if !added.remove(id) { removed.append(id) }
        givenOrder?.removeAll { $0 == id }
    }

    /// Members have other identities from now on.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        stored = stored.map { $0.map { permanent[$0] ?? $0 } }
        givenOrder = givenOrder.map { $0.map { permanent[$0] ?? $0 } }
        added.rename(permanent)
        removed.rename(permanent)
    }

    /// The member's row is gone: nothing is left to be saved about it.
    mutating func forget(_ id: ObjectID) {
        _ = added.remove(id)
        _ = removed.remove(id)
        stored?.removeAll { $0 == id }
        givenOrder?.removeAll { $0 == id }
    }

    /// Whether any of the rows is among what was read or edited.
    func mentions(_ rows: RowSet) -> Bool {
        stored?.contains(where: rows.contains) == true || added.all.contains(where: rows.contains)
            || removed.all.contains(where: rows.contains)
    }

    /// As `forget(_:)` for many.
    mutating func forget(_ rows: RowSet) {
        for id in added.all where rows.contains(id) { _ = added.remove(id) }
        for id in removed.all where rows.contains(id) { _ = removed.remove(id) }
        stored?.removeAll(where: rows.contains)
        givenOrder?.removeAll(where: rows.contains)
    }

    /// Edits became rows: what was current is stored now.
    mutating func adopt(_ permanent: PermanentIDs, isOrdered: Bool) {
        var members = current?.map(permanent.current)
        if !isOrdered, !added.isEmpty { members?.sort { $0.key < $1.key } }
        self = ToManyMembers()
        stored = members
    }

    mutating func discardEdits() {
        added = OrderedIDs()
        removed = OrderedIDs()
        givenOrder = nil
    }

    /// Forgets what was read; edits stay.
    mutating func forgetStored() {
        stored = nil
    }
}
