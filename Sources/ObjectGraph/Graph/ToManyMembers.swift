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
    /// Most lists are read and never edited or searched, so that the rest is stored apart.
    private var edits: Edits?

    private final class Edits {
        @exclusivity(unchecked) var knownStored: Set<ObjectID>?
        @exclusivity(unchecked) var added = OrderedIDs()
        @exclusivity(unchecked) var removed = OrderedIDs()
        @exclusivity(unchecked) var assignedOrder: OrderedIDs?
        @exclusivity(unchecked) var mark: UInt64 = 0
        @exclusivity(unchecked) var addedSinceMark: [ObjectID] = []

        init() {}

        init(copying other: Edits) {
            knownStored = other.knownStored
            added = other.added
            removed = other.removed
            assignedOrder = other.assignedOrder
            mark = other.mark
            addedSinceMark = other.addedSinceMark
        }
    }

    /// The edits, for a change of this value alone.
    private var ownEdits: Edits {
        mutating get {
            // In this order, because a second reference would make the first one not unique.
            if isKnownUniquelyReferenced(&edits), let edits { return edits }
            let own = edits.map(Edits.init(copying:)) ?? Edits()
            edits = own
            return own
        }
    }

    private(set) var added: OrderedIDs {
        get { edits?.added ?? OrderedIDs() }
        _modify { yield &ownEdits.added }
    }

    private(set) var removed: OrderedIDs {
        get { edits?.removed ?? OrderedIDs() }
        _modify { yield &ownEdits.removed }
    }

    /// All members in the order set by the user, if the relationship is ordered and was set as a whole.
    private var assignedOrder: OrderedIDs? {
        get { edits?.assignedOrder }
        _modify { yield &ownEdits.assignedOrder }
    }

    /// The stored members for look-up; created when a long list is first searched.
    private var knownStored: Set<ObjectID>? {
        get { edits?.knownStored }
        set { if edits?.knownStored != nil || newValue != nil { ownEdits.knownStored = newValue } }
    }

    /// Identifies the members at one time, as long as members are only appended afterwards; 0 for none. A list of the
    /// members at that time, with those appended since, equals the present members.
    var mark: UInt64 { edits?.mark ?? 0 }
    var addedSinceMark: [ObjectID] { edits?.addedSinceMark ?? [] }

    var isEdited: Bool {
        guard let edits else { return false }
        return !edits.added.isEmpty || !edits.removed.isEmpty || edits.assignedOrder != nil
    }
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
        if isAdded(id) { return true }
        if isRemoved(id) { return false }
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
    mutating func read(_ members: [ObjectID]) -> [ObjectID] { read(members, among: members) }

    /// Like `read(_:)`, of members without those that a pending deletion hides.
    /// - Parameter rows: All members in the store.
    mutating func read(_ members: [ObjectID], among rows: [ObjectID]) -> [ObjectID] {
        stored = members
        let saved = editsAlike(members, rows)
        saved.forEach { discardEdit(of: $0) }
        if let order = assignedOrder?.all {
            assignedOrder = nil
            placeFirst(order)
        }
        return saved
    }

    private mutating func editsAlike(_ members: [ObjectID], _ rows: [ObjectID]) -> [ObjectID] {
        var alike: [ObjectID] = []
        if !added.isEmpty { alike = members.filter(isAdded) }
        if removed.isEmpty { return alike }
        let present = Set(rows)
        return alike + removed.all.filter { !present.contains($0) }
    }

    /// - Parameter mark: A mark that was never used before.
    mutating func setMark(_ mark: UInt64) {
        let edits = ownEdits
        edits.mark = mark
        edits.addedSinceMark = []
    }

    mutating func discardMark() {
        if mark != 0 { setMark(0) }
    }

    /// Discards the edit of one member, so that it is a member if it is one in the store.
    mutating func discardEdit(of id: ObjectID) {
        discardMark()
        removeEdit(of: id)
    }

    private mutating func removeEdit(of id: ObjectID) {
        if edits == nil { return }
        _ = added.remove(id)
        _ = removed.remove(id)
    }

    private func isAdded(_ id: ObjectID) -> Bool { edits?.added.contains(id) ?? false }
    private func isRemoved(_ id: ObjectID) -> Bool { edits?.removed.contains(id) ?? false }

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
        if assignedOrder != nil { assignedOrder = nil }
        discardMark()
    }

    /// Whether adding the member reverts an edit that others may have saved equally; only the stored members show this.
    func mustBeRead(toAdd id: ObjectID) -> Bool { !isRead && isRemoved(id) }

    func mustBeRead(toRemove id: ObjectID) -> Bool { !isRead && !id.isTemporary && isAdded(id) }

    mutating func add(_ id: ObjectID) {
        if isRemoved(id) {
            _ = removed.remove(id)
            // It returns to its place among the stored members.
            discardMark()
        } else if !isStored(id) {
            let former = added.count
            added.append(id)
            if mark != 0, added.count > former { ownEdits.addedSinceMark.append(id) }
        }
        if assignedOrder != nil { assignedOrder?.append(id) }
    }

    /// Removes a member. Does nothing for an object known to be none.
    mutating func remove(_ id: ObjectID) {
        let wasAdded = isAdded(id) && added.remove(id)
        if !wasAdded, !isRead || isStored(id) { removed.append(id) }
        if assignedOrder != nil { _ = assignedOrder?.remove(id) }
        discardMark()
    }

    /// Replaces temporary identities of members with permanent ones.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        stored = stored.map { $0.map { permanent[$0] ?? $0 } }
        if edits == nil { return }
        assignedOrder?.rename(permanent)
        added.rename(permanent)
        removed.rename(permanent)
        discardMark()
    }

    /// Discards a member whose row does not exist, without a change to save.
    mutating func discardMember(_ id: ObjectID) {
        stored?.removeAll { $0 == id }
        if edits == nil { return }
        removeEdit(of: id)
        _ = assignedOrder?.remove(id)
        discardMark()
    }

    /// Whether any of the rows is among the read or edited members.
    func mentions(_ rows: RowSet) -> Bool {
        stored?.contains(where: rows.contains) == true || added.all.contains(where: rows.contains)
            || removed.all.contains(where: rows.contains)
    }

    /// Discards many members, like `discardMember(_:)`.
    mutating func discardMembers(_ rows: RowSet) {
        for id in added.all + removed.all where rows.contains(id) { removeEdit(of: id) }
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
        if isEdited { edits = nil }
        discardMark()
    }

    /// Discards the stored members; edits are kept.
    mutating func discardStored() {
        stored = nil
    }
}
