/// The changes of one save, as values that may cross threads: the input of every merge.
package struct SavedChanges: Sendable {
    package var inserted: [ObjectID] = []
    /// The rows after the save.
    package var updated: [Snapshot] = []
    /// Changed rows whose values are not available.
    package var updatedIDs: [ObjectID] = []
    package var deleted: [ObjectID] = []
    /// The executed bulk deletes. They precede all other changes.
    package var bulkDeletes = DeletePlan()
    /// Whether there were more changes than were kept, so that any row may have changed.
    package private(set) var isOverflow = false
    /// The history transactions that recorded the changes, by store identifier; empty for changes of others.
    package var transactions: [String: Int64] = [:]

    package init() {}

    /// The changes of an executed deletion.
    package init(deletion plan: DeletePlan) { bulkDeletes = plan }

    /// Rows that were deleted one by one.
    package init(deleted: [ObjectID]) { self.deleted = deleted }

    /// What a store has done with sets of rows: the changes of a restore or deletion, for contexts.
    package init(_ rows: SavedRows) {
        inserted = Array(rows.restored.ids)
        updatedIDs = Array(rows.updated.ids)
        bulkDeletes = rows.plan
    }

    /// Unspecified changes: any row may have changed.
    package static let overflow: SavedChanges = {
        var changes = SavedChanges()
        changes.isOverflow = true
        return changes
    }()

    /// Every updated row, once, in the order of the save.
    package var everyUpdatedID: [ObjectID] {
        let own = updated.map(\.id) + updatedIDs
        if bulkDeletes.cleared.isEmpty { return own }
        return own + bulkDeletes.updated.subtracting(RowSet(own)).ids
    }

    /// Passes every deleted row once. The identities are created one by one, as there may be millions.
    package func forEachDeletedID(_ body: (ObjectID) -> Void) {
        deleted.forEach(body)
        for (space, keys) in bulkDeletes.deleted.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            for key in keys.keys { body(ObjectID(space: space, key: key)) }
        }
    }

    /// All deleted rows.
    package var deletedRows: RowSet {
        if deleted.isEmpty { return bulkDeletes.deleted }
        var rows = bulkDeletes.deleted
        rows.formUnion(RowSet(deleted))
        return rows
    }

    /// The rows that were inserted or updated, and exist.
    var existingRows: RowSet {
        bulkDeletes.updated.union(RowSet(inserted + updatedIDs + updated.map(\.id))).subtracting(deletedRows)
    }

    /// Both ends of links that a part of a long deletion removed, without deleting a row.
    var unlinkedRows: RowSet { bulkDeletes.deleted.isEmpty ? bulkDeletes.updated : RowSet() }

    /// The stores and entities of the rows that were inserted, updated or deleted individually.
    var listedSpaces: Set<IDSpace> {
        var spaces: Set<IDSpace> = []
        for ids in [inserted, updatedIDs, deleted] { spaces.insertSpaces(of: ids) }
        spaces.insertSpaces(of: updated.lazy.map(\.id))
        return spaces
    }

    /// The stores and entities of the rows that were inserted or restored.
    var insertedSpaces: Set<IDSpace> {
        var spaces: Set<IDSpace> = []
        spaces.insertSpaces(of: inserted)
        return spaces
    }

    /// The stores that were written.
    package var storeIdentifiers: Set<String> {
        let spaces = listedSpaces.union(bulkDeletes.deleted.spaces).union(bulkDeletes.cleared.map(\.space))
        return Set(spaces.compactMap(\.storeIdentifier))
    }

    package var deletedCount: Int { deleted.count + bulkDeletes.deleted.count }

    package mutating func append(_ other: SavedChanges) {
        inserted += other.inserted
        updated += other.updated
        updatedIDs += other.updatedIDs
        deleted += other.deleted
        bulkDeletes.append(other.bulkDeletes)
        isOverflow = isOverflow || other.isOverflow
        transactions.merge(other.transactions, uniquingKeysWith: max)
    }

    /// The changes without insertions and updates of certain rows.
    func leavingOut(_ rows: RowSet) -> SavedChanges {
        var rest = self
        rest.inserted.removeAll(where: rows.contains)
        rest.updated.removeAll { rows.contains($0.id) }
        rest.updatedIDs.removeAll(where: rows.contains)
        return rest
    }

    /// The approximate memory of the changes. Sets of rows are shared by all recipients.
    var count: Int { 1 + inserted.count + updated.count + updatedIDs.count + deleted.count }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && updatedIDs.isEmpty && deleted.isEmpty && bulkDeletes.isEmpty
            && !isOverflow
    }
}

extension Set<IDSpace> {
    /// Consecutive identities mostly have one space, which is inserted once.
    fileprivate mutating func insertSpaces(of ids: some Sequence<ObjectID>) {
        var last: IDSpace?
        for id in ids where id.space != last {
            insert(id.space)
            last = id.space
        }
    }
}
