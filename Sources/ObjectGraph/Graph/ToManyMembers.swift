/// The members of one to-many relationship of one record: the stored ones, once read, and edits.
///
/// Edits are separate from the stored members, so that linking an object to an owner with a million members reads none
/// of them.
struct ToManyMembers {
    /// As stored; `nil` until read.
    private(set) var stored: [ObjectID]? {
        didSet {
            knownStored = nil
            discardMark()
        }
    }
    /// The stored members for look-up; created when a long list is first searched.
    private var knownStored: Set<ObjectID>?
    private(set) var added = OrderedIDs()
    private(set) var removed = OrderedIDs()
    /// All members in the order set by the user, if the relationship is ordered and was set as a whole.
    private var assignedOrder: OrderedIDs?
    /// Identifies the members at one time, as long as members are only appended afterwards; 0 for none. A list of the
    /// members at that time, with those appended since, equals the present members.
    private(set) var mark: UInt64 = 0
    private(set) var addedSinceMark: [ObjectID] = []

    var isEdited: Bool { !added.isEmpty || !removed.isEmpty || assignedOrder != nil }
    var isRead: Bool { stored != nil }

    /// Current members; `nil` when the stored ones have not been read.
    var current: [ObjectID]? {
        guard let stored else { return nil }
        if let assignedOrder { return assignedOrder.all }
        if !isEdited { return stored }
        let lost = Set(removed.all)
        let kept = lost.isEmpty ? stored : stored.filter { !lost.contains($0) }
        if added.isEmpty { return kept }
        if kept.isEmpty { return added.all }
        let known = Set(kept)
        return kept + added.all.filter { !known.contains($0) }
    }

    /// Whether the object is a member; `nil` if that depends on stored members that have not been read.
    mutating func holds(_ id: ObjectID) -> Bool? {
        if added.contains(id) { return true }
        if removed.contains(id) { return false }
        return isRead ? isStored(id) : nil
    }

    /// The number of members; `nil` if the stored ones have not been read.
    var count: Int? { stored.map { $0.count + added.count - removed.count } }

    /// Returns the member at an index; `nil` beyond the last, and if the stored ones have not been read.
    mutating func member(at place: Int) -> ObjectID? {
        guard let stored, place >= 0 else { return nil }
        if assignedOrder != nil { return assignedOrder?.element(at: place) }
        // Stored members may have moved up.
        if !removed.isEmpty { return current.flatMap { place < $0.count ? $0[place] : nil } }
        return place < stored.count ? stored[place] : added.element(at: place - stored.count)
    }

    private mutating func isStored(_ id: ObjectID) -> Bool {
        guard let stored else { return false }
        if stored.count <= Self.shortList { return stored.contains(id) }
        let known = knownStored ?? Set(stored)
        knownStored = known
        return known.contains(id)
    }

    /// Up to this length, members are compared one by one.
    private static let shortList = 16

    /// - Returns: Members whose edits others have saved equally, so that they are no edits any more.
    mutating func read(_ members: [ObjectID]) -> [ObjectID] {
        stored = members
        let saved = editsAlike(members)
        saved.forEach { discardEdit(of: $0) }
        if let order = assignedOrder?.all {
            assignedOrder = nil
            placeFirst(order)
        }
        return saved
    }

    private mutating func editsAlike(_ members: [ObjectID]) -> [ObjectID] {
        var alike: [ObjectID] = []
        if !added.isEmpty { alike = members.filter { added.contains($0) } }
        if removed.isEmpty { return alike }
        let present = Set(members)
        return alike + removed.all.filter { !present.contains($0) }
    }

    /// - Parameter mark: A mark that was never used before.
    mutating func setMark(_ mark: UInt64) {
        self.mark = mark
        addedSinceMark = []
    }

    mutating func discardMark() {
        if mark != 0 { setMark(0) }
    }

    /// Discards the edit of one member, so that it is a member if it is one in the store.
    mutating func discardEdit(of id: ObjectID) {
        discardMark()
        _ = added.remove(id)
        _ = removed.remove(id)
    }

    /// Moves the members in the order that are still members to the front.
    private mutating func placeFirst(_ order: [ObjectID]) {
        let members = current ?? []
        let present = Set(members)
        var placed = OrderedIDs(order.filter(present.contains))
        for id in members { placed.append(id) }
        assignedOrder = placed
        discardMark()
    }

    /// - Parameter order: All members.
    mutating func place(_ order: [ObjectID]) {
        assignedOrder = OrderedIDs(order)
        discardMark()
    }

    /// Discards the set order, so that members read again have the stored one.
    mutating func discardOrder() {
        assignedOrder = nil
        discardMark()
    }

    /// Whether adding the member reverts an edit that others may have saved equally; only the stored members show this.
    mutating func mustBeRead(toAdd id: ObjectID) -> Bool { !isRead && removed.contains(id) }

    mutating func mustBeRead(toRemove id: ObjectID) -> Bool { !isRead && !id.isTemporary && added.contains(id) }

    mutating func add(_ id: ObjectID) {
        if removed.remove(id) {
            // It returns to its place among the stored members.
            discardMark()
        } else if !isStored(id) {
            let former = added.count
            added.append(id)
            if mark != 0, added.count > former { addedSinceMark.append(id) }
        }
        assignedOrder?.append(id)
    }

    /// Removes a member. Does nothing for an object known to be none.
    mutating func remove(_ id: ObjectID) {
        if !added.remove(id), !isRead || isStored(id) { removed.append(id) }
        _ = assignedOrder?.remove(id)
        discardMark()
    }

    /// Replaces temporary identities of members with permanent ones.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        stored = stored.map { $0.map { permanent[$0] ?? $0 } }
        assignedOrder?.rename(permanent)
        added.rename(permanent)
        removed.rename(permanent)
        discardMark()
    }

    /// Forgets a member whose row does not exist, without a change to save.
    mutating func discardMember(_ id: ObjectID) {
        _ = added.remove(id)
        _ = removed.remove(id)
        stored?.removeAll { $0 == id }
        _ = assignedOrder?.remove(id)
        discardMark()
    }

    /// Whether any of the rows is among the read or edited members.
    func mentions(_ rows: RowSet) -> Bool {
        stored?.contains(where: rows.contains) == true || added.all.contains(where: rows.contains)
            || removed.all.contains(where: rows.contains)
    }

    /// Forgets many members, like `discardMember(_:)`.
    mutating func discardMembers(_ rows: RowSet) {
        for id in added.all where rows.contains(id) { _ = added.remove(id) }
        for id in removed.all where rows.contains(id) { _ = removed.remove(id) }
        hide(rows)
    }

    /// Hides members that are pending deletion. Edits are kept, in case the deletion is undone.
    mutating func hide(_ rows: RowSet) {
        stored?.removeAll(where: rows.contains)
        if let order = assignedOrder { assignedOrder = OrderedIDs(order.all.filter { !rows.contains($0) }) }
        discardMark()
    }

    /// Makes the current members the stored ones, after a save.
    mutating func adopt(_ permanent: PermanentIDs, isOrdered: Bool) {
        var members = current?.map(permanent.current)
        if !isOrdered, !added.isEmpty { members?.sort { $0.key < $1.key } }
        self = ToManyMembers()
        stored = members
    }

    mutating func discardEdits() {
        added = OrderedIDs()
        removed = OrderedIDs()
        assignedOrder = nil
        discardMark()
    }

    /// Discards the stored members; edits are kept.
    mutating func discardStored() {
        stored = nil
    }
}
