/// Hiding the rows of bulk deletes from the call on: registered objects and rows read later appear as they will be
/// after the save.
extension Graph {
    /// Returns the records of these rows.
    /// - Complexity: O(n) in the number of rows, or of registered records, whichever are fewer.
    func registered(in rows: RowSet) -> [Record] {
        if rows.isEmpty { return [] }
        if rows.count < identityMap.count { return rows.ids.compactMap { identityMap[$0] }.filter { !$0.isGone } }
        // Records of an entity mostly follow each other: then its keys are not looked up for each of them.
        var (space, keys) = (IDSpace?.none, KeySet())
        return identityMap.all.filter { record in
            if record.id.space != space { (space, keys) = (record.id.space, rows[record.id.space]) }
            return keys.contains(record.id.key) && !record.isGone
        }
    }

    /// Returns a row as it will be after the pending bulk deletes. Does not pass them as an argument: a copy for each
    /// row would cost more than everything else done here.
    func row(_ stored: Snapshot) -> Snapshot {
        deletes.bulk.isEmpty ? stored : row(stored, after: deletes.bulk)
    }

    func row(_ stored: Snapshot, after bulk: BulkDeletes) -> Snapshot {
        entity(of: stored.id).map { bulk.applied(to: stored, of: $0) } ?? stored
    }

    /// Marks registered objects of the rows as deleted, and removes stored links of other objects to them, without any
    /// change to save.
    /// - Complexity: O(n) in the number of registered records and of read members.
    func hide(_ rows: RowSet, _ nullified: [NullifiedLink]) {
        for record in registered(in: rows) { deletes.add(.bulk, to: record) }
        removeLinks(to: rows, nullifying: nullified, .pending)
    }
}
