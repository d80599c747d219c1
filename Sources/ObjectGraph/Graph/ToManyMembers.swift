/// Members of one to-many relationship of one record: what the store has, once read, and what was edited since.
///
/// Edits are kept apart from the stored members, so that linking an object to an owner with a million others reads
/// none of them.
struct ToManyMembers {
    /// As stored; `nil` until read.
    private(set) var stored: [ObjectID]? {
        didSet {
            knownStored = nil
            forgetMark()
        }
    }
    /// The same to be searched, made when a long list first is.
    private var knownStored: Set<ObjectID>?
    private(set) var added = OrderedIDs()
    private(set) var removed = OrderedIDs()
    /// All members in the order the user gave, where the relationship is ordered and was edited as a whole.
    private var givenOrder: OrderedIDs?
    /// Stands for the members at one time, for as long as only new ones come, at the end; 0 for none. A list that was made of
    /// the members then, with those added since, is the list of them now.
    private(set) var mark: UInt64 = 0
    private(set) var addedSinceMark: [ObjectID] = []

    var isEdited: Bool { !added.isEmpty || !removed.isEmpty || givenOrder != nil }
    var isRead: Bool { stored != nil }

    /// Current members; `nil` when the stored ones have not been read.
    var current: [ObjectID]? {
        guard let stored else { return nil }
        if let givenOrder { return givenOrder.all }
        if !isEdited { return stored }
        let lost = Set(removed.all)
        let kept = lost.isEmpty ? stored : stored.filter { !lost.contains($0) }
        if added.isEmpty { return kept }
        if kept.isEmpty { return added.all }
        let known = Set(kept)
        return kept + added.all.filter { !known.contains($0) }
    }

    /// Whether it is a member; `nil` where that depends on stored members, which have not been read.
    mutating func holds(_ id: ObjectID) -> Bool? {
        if added.contains(id) { return true }
        if removed.contains(id) { return false }
        return isRead ? isStored(id) : nil
    }

    /// How many there are; `nil` when the stored ones have not been read.
    var count: Int? { stored.map { $0.count + added.count - removed.count } }

    /// The one at a place, counted from 0; `nil` beyond the last, and when the stored ones have not been read.
    mutating func member(at place: Int) -> ObjectID? {
        guard let stored, place >= 0 else { return nil }
        if givenOrder != nil { return givenOrder?.element(at: place) }
        // Those that were there may have moved up.
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

    /// Up to so many are compared one by one.
    private static let shortList = 16

    /// - Returns: members whose edits others have meanwhile saved alike, so that they are no edits any more.
    mutating func read(_ members: [ObjectID]) -> [ObjectID] {
        stored = members
        let saved = editsAlike(members)
        saved.forEach { forgetEdit(of: $0) }
        if let order = givenOrder?.all {
            givenOrder = nil
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

    /// - Parameter mark: never used before.
    mutating func setMark(_ mark: UInt64) {
        self.mark = mark
        addedSinceMark = []
    }

    mutating func forgetMark() {
        if mark != 0 { setMark(0) }
    }

    /// Whoever is a member in the store is one here.
    mutating func forgetEdit(of id: ObjectID) {
        forgetMark()
        _ = added.remove(id)
        _ = removed.remove(id)
    }

    /// Those in the order that are members still, then the others.
    private mutating func placeFirst(_ order: [ObjectID]) {
        let members = current ?? []
        let present = Set(members)
        var placed = OrderedIDs(order.filter(present.contains))
        for id in members { placed.append(id) }
        givenOrder = placed
        forgetMark()
    }

    /// - Parameter order: all members.
    mutating func place(_ order: [ObjectID]) {
        givenOrder = OrderedIDs(order)
        forgetMark()
    }

    /// Members that are read again come in the order that is stored.
    mutating func forgetOrder() {
        givenOrder = nil
        forgetMark()
    }

    /// Whether adding the member takes back an edit of which others may have saved the like: what is stored tells.
    mutating func mustBeRead(toAdd id: ObjectID) -> Bool { !isRead && removed.contains(id) }

    mutating func mustBeRead(toRemove id: ObjectID) -> Bool { !isRead && !id.isTemporary && added.contains(id) }

    mutating func add(_ id: ObjectID) {
        if removed.remove(id) {
            // Back to its place among those stored.
            forgetMark()
        } else if !isStored(id) {
            let former = added.count
            added.append(id)
            if mark != 0, added.count > former { addedSinceMark.append(id) }
        }
        givenOrder?.append(id)
    }

    /// Who is no member, as far as is known, is passed over.
    mutating func remove(_ id: ObjectID) {
        if !added.remove(id), !isRead || isStored(id) { removed.append(id) }
        _ = givenOrder?.remove(id)
        forgetMark()
    }

    /// Members have other identities from now on.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        stored = stored.map { $0.map { permanent[$0] ?? $0 } }
        givenOrder?.rename(permanent)
        added.rename(permanent)
        removed.rename(permanent)
        forgetMark()
    }

    /// The member's row is gone: nothing is left to be saved about it.
    mutating func forget(_ id: ObjectID) {
        _ = added.remove(id)
        _ = removed.remove(id)
        stored?.removeAll { $0 == id }
        _ = givenOrder?.remove(id)
        forgetMark()
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
        hide(rows)
    }

    /// The members' rows are to be deleted. Edits stay, for when they are not.
    mutating func hide(_ rows: RowSet) {
        stored?.removeAll(where: rows.contains)
        if let order = givenOrder { givenOrder = OrderedIDs(order.all.filter { !rows.contains($0) }) }
        forgetMark()
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
        forgetMark()
    }

    /// Forgets what was read; edits stay.
    mutating func forgetStored() {
        stored = nil
    }
}
