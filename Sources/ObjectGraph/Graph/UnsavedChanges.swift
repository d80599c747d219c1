/// The unsaved changes of a context as one value, so that rollback empties it and restoring an earlier state is an
/// assignment.
///
/// Edited values and members are in their records, and in `states` of a copy to restore; everything else is here. The
/// lists may contain records whose status has changed since; they are filtered when read, so that discarding changes
/// costs nothing.
package struct UnsavedChanges {
    private var insertedList = PendingList()
    private var updatedList = PendingList()
    private var deletedList = PendingList()
    /// Pending deletions.
    var deletes = PendingDeletes()
    /// Permanent identities reserved for unsaved objects before their save.
    var reservedIDs: Set<ObjectID> = []
    /// Refused edits; the next save throws them.
    var refused: [Refused] = []
    /// Objects whose edits were not made because their rows could not be read; the next save throws.
    var unreadable: Set<ObjectID> = []
    /// The states of the objects, in a copy to restore; empty in a graph.
    var states: [RecordState] = []

    var inserted: [Record] { insertedList.records.keeping { $0.isInserted } }
    var updated: [Record] { updatedList.records.keeping { $0.isUpdated && !$0.isDeleted && !$0.isInserted } }
    var deleted: [Record] { deletedList.records.keeping { $0.isDeleted } }

    var isEmpty: Bool {
        !insertedList.records.contains { $0.isInserted }
            && !updatedList.records.contains { $0.isUpdated && !$0.isDeleted }
            && !deletedList.records.contains { $0.isDeleted }
            && deletes.bulk.isEmpty && refused.isEmpty && unreadable.isEmpty
    }

    /// An upper bound for the number of stored rows with unsaved changes.
    var storedCount: Int { updatedList.records.count + deletedList.records.count }

    mutating func noteInserted(_ record: Record) {
        guard !record.isInserted else { return }
        record.status.insert(.inserted)
        insertedList.append(record)
    }

    mutating func noteUpdated(_ record: Record) {
        guard !record.isUpdated else { return }
        record.status.insert(.updated)
        updatedList.append(record)
    }

    mutating func noteDeleted(_ record: Record) {
        guard !record.isDeleted else { return }
        record.status.insert(.deleted)
        deletedList.append(record)
    }

    /// Whether an inserted object was deleted, or rolled back, before it was saved.
    var hasDiscardedInsertions: Bool { insertedList.records.contains { !$0.isInserted } }

    /// Removes the former entry of an object that becomes new, or is not edited or deleted after all.
    mutating func removeInserted(_ record: Record) { insertedList.remove(record) }
    mutating func removeUpdated(_ record: Record) { updatedList.remove(record) }
    mutating func removeDeleted(_ record: Record) { deletedList.remove(record) }
    mutating func removeDeleted(_ ids: Set<ObjectID>) { deletedList.remove { ids.contains($0.id) } }

    /// All records that had unsaved changes, even if they have none now.
    var listed: [Record] { insertedList.records + updatedList.records + deletedList.records }
}

/// Records in the order of their changes. Removed records leave the list only when there are many, or when they are added
/// again; until then their status excludes them. So removing many one by one costs no more than removing them together.
private struct PendingList {
    private(set) var records: [Record] = []
    private var removed: Set<ObjectIdentifier> = []

    mutating func append(_ record: Record) {
        if !removed.isEmpty, removed.contains(ObjectIdentifier(record)) { removeMarked() }
        records.append(record)
    }

    mutating func remove(_ record: Record) {
        removed.insert(ObjectIdentifier(record))
        if 2 * removed.count > records.count { removeMarked() }
    }

    mutating func remove(where isRemoved: (Record) -> Bool) {
        records.removeAll(where: isRemoved)
    }

    private mutating func removeMarked() {
        records.removeAll { removed.contains(ObjectIdentifier($0)) }
        removed = []
    }
}

extension Array {
    /// Filters without a copy if nothing is left out.
    func keeping(_ isKept: (Element) throws -> Bool) rethrows -> [Element] {
        try allSatisfy(isKept) ? self : filter(isKept)
    }
}
