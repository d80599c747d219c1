extension UnsavedChanges {
    /// Pending deletions, by cause.
    struct PendingDeletes {
        /// Bulk deletes: sets of rows, hidden until the save deletes them.
        var bulk = BulkDeletes()
        /// Objects marked for deletion from which the delete rules have not been followed yet.
        var unresolved: [Record] = []
        /// Whether the rules are followed from these before any result that may depend on them.
        var resolvesWhenAsked = false
        /// Rows that other contexts deleted, of objects pending deletion here: the save writes nothing about them.
        var remote: Set<ObjectID> = []
        /// Objects deleted only because of rows in `remote`: those rows' objects, and objects that delete rules reach from
        /// them.
        var remoteOnly: Set<ObjectID> = []
        /// Whether rows of deleted objects have changed since the delete rules were followed from them.
        var needsPropagation = false

        /// Whether the save deletes the object's row individually: not in a bulk delete, and no other context deleted it.
        func isOwn(_ record: Record) -> Bool { !bulk.deleted.contains(record.id) && !remote.contains(record.id) }
    }
}
