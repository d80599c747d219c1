/// Members of one to-many relationship of one record: what the store has, once read, and what was edited since.
///
/// Edits are kept apart from the stored members, so that linking an object to an owner with a million others reads
/// none of them.
struct ToManyMembers {
    /// As stored; `nil` until read.
    private(set) var stored: [ObjectID]?
    private(set) var added = OrderedIDs()
    private(set) var removed: Set<ObjectID> = []
    /// All members in the order the user gave, where the relationship is ordered and was edited as a whole.
    var givenOrder: [ObjectID]?

    var isEdited: Bool { !added.isEmpty || !removed.isEmpty || givenOrder != nil }
    var isRead: Bool { stored != nil }

    /// Current members; `nil` when the stored ones have not been read.
    var current: [ObjectID]? {
        guard let stored else { return nil }
        if let givenOrder { return givenOrder }
        if !isEdited { return stored }
        let kept = removed.isEmpty ? stored : stored.filter { !removed.contains($0) }
        if added.isEmpty { return kept }
        let known = Set(kept)
        return kept + added.all.filter { !known.contains($0) }
    }

    mutating func read(_ members: [ObjectID]) {
        stored = members
        // What was added here and meanwhile saved elsewhere is no addition any more.
        if !added.isEmpty { for id in members { _ = added.remove(id) } }
    }

    mutating func add(_ id: ObjectID) {
        if removed.remove(id) == nil { added.append(id) }
        if givenOrder != nil, givenOrder?.contains(id) == false { givenOrder?.append(id) }
    }

    mutating func remove(_ id: ObjectID) {
        if !added.remove(id) { removed.insert(id) }
        givenOrder?.removeAll { $0 == id }
    }

    /// Members have other identities from now on.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        stored = stored.map { $0.map { permanent[$0] ?? $0 } }
        givenOrder = givenOrder.map { $0.map { permanent[$0] ?? $0 } }
        if added.all.contains(where: { permanent[$0] != nil }) {
            let renamed = added.all.map { permanent[$0] ?? $0 }
            added = OrderedIDs()
            renamed.forEach { added.append($0) }
        }
        removed = Set(removed.map { permanent[$0] ?? $0 })
    }

    /// The member's row is gone: nothing is left to be saved about it.
    mutating func forget(_ id: ObjectID) {
        _ = added.remove(id)
        removed.remove(id)
        stored?.removeAll { $0 == id }
        givenOrder?.removeAll { $0 == id }
    }

    /// Whether any of the rows is among what was read or edited.
    func mentions(_ rows: RowSet) -> Bool {
        stored?.contains(where: rows.contains) == true || added.all.contains(where: rows.contains)
            || removed.contains(where: rows.contains)
    }

    /// As `forget(_:)` for many.
    mutating func forget(_ rows: RowSet) {
        for id in added.all where rows.contains(id) { _ = added.remove(id) }
        removed = removed.filter { !rows.contains($0) }
        stored?.removeAll(where: rows.contains)
        givenOrder?.removeAll(where: rows.contains)
    }

    /// Edits became rows: what was current is stored now.
    mutating func adopt(_ permanent: [ObjectID: ObjectID], isOrdered: Bool) {
        var members = current?.map { permanent[$0] ?? $0 }
        if !isOrdered, !added.isEmpty { members?.sort { $0.key < $1.key } }
        self = ToManyMembers()
        stored = members
    }

    mutating func discardEdits() {
        added = OrderedIDs()
        removed = []
        givenOrder = nil
    }

    /// Forgets what was read; edits stay.
    mutating func forgetStored() {
        stored = nil
    }
}

/// Identifiers in order of arrival, each once, with removal in constant time.
struct OrderedIDs {
    private var items: [ObjectID?] = []
    private var positions: [ObjectID: Int] = [:]

    var isEmpty: Bool { positions.isEmpty }
    var all: [ObjectID] { items.compactMap { $0 } }

    mutating func append(_ id: ObjectID) {
        guard positions[id] == nil else { return }
        positions[id] = items.count
        items.append(id)
    }

    mutating func remove(_ id: ObjectID) -> Bool {
        guard let position = positions.removeValue(forKey: id) else { return false }
        items[position] = nil
        if items.count > 32, items.count > 2 * positions.count { compact() }
        return true
    }

    private mutating func compact() {
        items = items.filter { $0 != nil }
        for (position, id) in items.enumerated() {
            if let id { positions[id] = position }
        }
    }
}
