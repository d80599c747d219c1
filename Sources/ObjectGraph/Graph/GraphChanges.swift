/// The objects of a graph that changed between two moments, and the rows that changed below them.
///
/// Objects are listed, not their new state, which is read when the changes are used. Beyond a limit, changes that are
/// collected for the follower of queries only state that anything may have changed.
package struct GraphChanges {
    /// May contain a record several times, if collected for the follower of queries.
    package private(set) var objects: [Object] = []
    /// Members of to-many relationships, in order; only within events.
    private(set) var members: [Member] = []
    /// In order.
    private(set) var renamings: [Renaming] = []
    /// Rows that others changed, or that have no record.
    package private(set) var rows: [ObjectID: PropertyMask] = [:]
    /// Rows that are gone, or hidden by a pending deletion.
    private(set) var removed = RowSet()
    /// Rows that exist again.
    private(set) var returned = RowSet()
    /// Rows that lost links to deleted ones, or have them again.
    private(set) var relinked: [NullifiedLink] = []
    /// Whether there were more changes than were kept, so that any row may have changed.
    package private(set) var isOverflow = false
    private var compactAt = GraphChanges.leastCompaction
    var lookup = Lookup()

    private static let leastCompaction = 4096
    private static let mostRows = 100_000

    /// A changed object.
    package struct Object {
        package let record: Record
        package let kind: Kind
        var mask: PropertyMask
        /// The face's object; within events only. Nothing else may keep it alive.
        package let object: AnyObject?
        /// The values before an event, in slot order; empty for an object that was a fault or new.
        package let before: SlotValues

        init(_ record: Record, _ kind: Kind, _ mask: PropertyMask = .all) {
            self.record = record
            self.kind = kind
            self.mask = mask
            object = nil
            before = []
        }

        /// Creates a changed object with its state before an event.
        init(_ record: Record, _ kind: Kind, _ object: AnyObject?, before: SlotValues = []) {
            self.record = record
            self.kind = kind
            self.object = object
            self.before = before
            mask = .all
        }
    }

    package enum Kind: Sendable, Hashable {
        case inserted
        /// Edited or deleted: the record says which.
        case edited
        /// Merged: the object has other values or fewer links, or will be read at the next access.
        case refreshed
        /// Merged: the object's row was deleted, or the delete rules reach it from such a row.
        case deleted
        /// Merged: the object was deleted by rule and had never been saved.
        case dropped
    }

    /// A member that a to-many relationship gained or lost.
    struct Member {
        let owner: Record
        let relationshipIndex: Int
        var id: ObjectID
        let isAddition: Bool
    }

    /// An object whose identity changed: by a save, or because it became a new one.
    struct Renaming {
        let former: ObjectID
        let record: Record
    }

    package init() {}

    /// Objects that were read again, or whose state a face has changed.
    package init(refreshed records: [Record]) { append(records, .refreshed) }

    /// Unspecified changes: any row may have changed.
    package static var overflow: GraphChanges {
        var changes = GraphChanges()
        changes.isOverflow = true
        return changes
    }

    var isEmpty: Bool {
        objects.isEmpty && members.isEmpty && renamings.isEmpty && rows.isEmpty && removed.isEmpty && returned.isEmpty
            && relinked.isEmpty && !isOverflow
    }

    package func records(_ kind: Kind) -> [Record] { objects.lazy.filter { $0.kind == kind }.map(\.record) }

    // MARK: Objects

    mutating func append(_ object: Object) { objects.append(object) }
    mutating func append(_ records: [Record], _ kind: Kind) { objects += records.lazy.map { Object($0, kind) } }
    mutating func append(_ member: Member) { members.append(member) }

    /// Replaces temporary identities of members with permanent ones.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        for index in members.indices {
            if let new = permanent[members[index].id] { members[index].id = new }
        }
        lookup = Lookup()
    }

    /// Lists an object with other values, whatever the reason.
    mutating func note(_ record: Record, _ mask: PropertyMask) {
        if isOverflow { return }
        if let last = objects.indices.last, objects[last].record === record {
            return objects[last].mask.formUnion(mask)
        }
        objects.append(Object(record, .edited, mask))
        if objects.count > compactAt { compact() }
    }

    /// Lists an object whose identity has changed, although there are too many other changes.
    /// - Returns: All objects listed so far, if they are too many: they are then no longer listed.
    mutating func noteRenamed(_ record: Record, from former: ObjectID) -> [Renaming] {
        renamings.append(Renaming(former: former, record: record))
        guard renamings.count > Self.mostRows else { return [] }
        overflow()
        defer { renamings = [] }
        return renamings
    }

    /// Joins the entries of each record.
    private mutating func compact() {
        var places: [ObjectIdentifier: Int] = [:]
        var joined: [Object] = []
        for entry in objects {
            if let place = places[ObjectIdentifier(entry.record)] {
                joined[place].mask.formUnion(entry.mask)
            } else {
                places[ObjectIdentifier(entry.record)] = joined.count
                joined.append(entry)
            }
        }
        objects = joined
        compactAt = max(Self.leastCompaction, 2 * joined.count)
        if joined.count > Self.mostRows { overflow() }
    }

    // MARK: Rows

    mutating func noteRow(_ id: ObjectID, _ mask: PropertyMask) {
        if isOverflow { return }
        rows[id, default: PropertyMask()].formUnion(mask)
        if rows.count > Self.mostRows { overflow() }
    }

    mutating func noteRemoved(_ gone: RowSet) {
        if gone.isEmpty || isOverflow { return }
        removed.formUnion(gone)
        if !returned.isEmpty { returned = returned.subtracting(gone) }
        if !rows.isEmpty { rows = rows.filter { !gone.contains($0.key) } }
    }

    mutating func noteReturned(_ existing: RowSet) {
        if existing.isEmpty || isOverflow { return }
        returned.formUnion(existing)
        if !removed.isEmpty { removed = removed.subtracting(existing) }
    }

    mutating func noteRelinked(_ links: [NullifiedLink]) {
        if links.isEmpty || isOverflow { return }
        relinked += links
    }

    mutating func noteReplaced(_ former: BulkDeletes, by other: BulkDeletes) {
        noteReturned(former.deleted.subtracting(other.deleted))
        noteRemoved(other.deleted.subtracting(former.deleted))
        noteRelinked(former.cleared)
        noteRelinked(other.cleared)
    }

    private mutating func overflow() {
        let renamings = renamings
        self = GraphChanges()
        (self.renamings, isOverflow) = (renamings, true)
    }

    /// Lists changes that others saved, before the graph merges them.
    mutating func note(_ saved: SavedChanges, in graph: Graph) {
        if saved.isOverflow { return overflow() }
        // Bulk deletes precede all other changes.
        noteRemoved(saved.bulkDeletes.deleted)
        noteRelinked(saved.bulkDeletes.cleared)
        noteRemoved(RowSet(saved.deleted))
        let existing = saved.inserted + saved.updatedIDs + saved.updated.map(\.id)
        if !removed.isEmpty, !existing.isEmpty { removed = removed.subtracting(RowSet(existing)) }
        for id in saved.inserted { noteRow(id, .all) }
        for id in saved.updatedIDs { noteRow(id, .all) }
        for row in saved.updated { noteRow(row.id, Self.mask(of: row, in: graph)) }
    }

    /// Lists the updated rows that the graph has not read. Call this before it merges them.
    mutating func noteUnread(_ saved: SavedChanges, in graph: Graph) {
        if saved.isOverflow { return overflow() }
        for id in saved.everyUpdatedID where graph.registeredRecord(for: id)?.isFault ?? true { noteRow(id, .all) }
    }

    /// Compares a row with the values known of it. If these are as new, they may have been read after the save, so that
    /// they do not show what it changed.
    private static func mask(of row: Snapshot, in graph: Graph) -> PropertyMask {
        guard let record = graph.registeredRecord(for: row.id), !record.isFault, !record.hasChanges,
            record.version < row.version
        else { return .all }
        return PropertyMask(from: record.values, to: row.values)
    }
}
