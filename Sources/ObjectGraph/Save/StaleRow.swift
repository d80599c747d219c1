/// A row differs from a change set's expectation: the store rolls back and returns conflicts. Never thrown by a store's
/// public functions.
package struct StaleRow: Error {
    /// Rows that the save deletes although it links others to them, or that are deleted already.
    package var deleted: Set<ObjectID>
    /// Rows that refer to rows to be deleted.
    package var leading: Set<ObjectID>

    package init(deleted: Set<ObjectID> = [], leading: Set<ObjectID> = []) {
        self.deleted = deleted
        self.leading = leading
    }

    /// Returns all conflicts, not only the one found first.
    /// - Parameter snapshots: Reads rows; leaves out those that do not exist.
    package func conflicts(
        of changes: ChangeSet, reading snapshots: ([ObjectID]) throws -> [Snapshot]
    ) rethrows -> [Conflict] {
        let stale = try changes.conflicts(reading: snapshots).filter { !deleted.contains($0.id) }
        let others = leading.sorted().filter { id in !stale.contains { $0.id == id } }
        return deleted.map { Conflict(id: $0, expectedVersion: 0, stored: nil) } + stale
            + (try snapshots(others)).map(Conflict.init(referringToDeleted:))
    }
}
