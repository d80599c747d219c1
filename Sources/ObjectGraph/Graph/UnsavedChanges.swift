/// The unsaved changes of a context as one value, so that rollback empties it and restoring an earlier state is an
/// assignment.
///
/// Edited values and members are in their records, and in `states` of a copy to restore; everything else is here. The
/// lists may contain records whose status has changed since; they are filtered when read, so that discarding changes
/// costs nothing.
package struct UnsavedChanges {
    private var insertedList = PendingList()
    private var updatedList = PendingList()
    /// Deleted objects and rows, with the causes.
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
    var deleted: [Record] { deletes.records }

    var isEmpty: Bool { !hasEdits && deletes.isEmpty && refused.isEmpty && unreadable.isEmpty }

    /// Whether objects were inserted, or have unsaved values or links.
    var hasEdits: Bool {
        insertedList.records.contains { $0.isInserted }
            || updatedList.records.contains { $0.isUpdated && !$0.isDeleted }
    }

    /// An upper bound for the number of stored rows with unsaved changes.
    var storedCount: Int { updatedList.records.count + deletes.listed.count }

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

    /// Whether an inserted object was deleted, or rolled back, before it was saved.
    var hasDiscardedInsertions: Bool { insertedList.records.contains { !$0.isInserted } }

    /// Removes the former entry of an object that becomes new, or is not edited after all.
    mutating func removeInserted(_ record: Record) { insertedList.remove(record) }
    mutating func removeUpdated(_ record: Record) { updatedList.remove(record) }

    /// All records that had unsaved changes, even if they have none now.
    var listed: [Record] { insertedList.records + updatedList.records + deletes.listed }
}
