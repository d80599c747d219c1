/// Deletes that wait for the save, by cause.
struct PendingDeletes {
    /// Deletes by query: sets of rows, hidden until the save carries them out.
    var bulk = BulkDeletes()
    /// Objects marked for deletion from which the delete rules have not been followed yet.
    var unresolved: [Record] = []
    /// Whether the rules are followed from these as soon as anything is asked that may depend on them.
    var resolvesWhenAsked = false
    /// Rows that other contexts deleted, of objects that wait for deletion here: the save writes nothing about them.
    var remote: Set<ObjectID> = []
    /// Objects deleted here only because of rows in `remote`: their own, or one whose delete rule reaches them.
    var remoteOnly: Set<ObjectID> = []
    /// Rows of deleted objects have changed since the delete rules were followed from them.
    var needsPropagation = false

    /// Whether the save deletes the row of a deleted object by itself: not with a bulk delete, and others have not done so.
    func isOwn(_ record: Record) -> Bool { !bulk.deleted.contains(record.id) && !remote.contains(record.id) }
}
