/// What one save did, as values that may cross threads: the input of `Graph.merge`.
package struct SavedChanges: Sendable {
    package var inserted: [ObjectID] = []
    /// The rows as they are now.
    package var updated: [Snapshot] = []
    /// Rows known to have changed whose values are not at hand.
    package var updatedIDs: [ObjectID] = []
    package var deleted: [ObjectID] = []
    /// Deletes of whole sets of rows, before everything else.
    package var bulkDeletes = DeletePlan()
    /// Stands for more changes than were kept: anything may have changed.
    package private(set) var isOverflow = false

    package init() {}

    /// Anything may have changed.
    package static let overflow: SavedChanges = {
        var changes = SavedChanges()
        changes.isOverflow = true
        return changes
    }()

    /// Every row that was updated, once, in the order of the save.
    package var everyUpdatedID: [ObjectID] {
        let own = updated.map(\.id) + updatedIDs
        if bulkDeletes.cleared.isEmpty { return own }
        return own + bulkDeletes.updated.subtracting(RowSet(own)).ids
    }

    /// Every row that was deleted, once, made as asked for: there may be millions.
    package func forEachDeletedID(_ body: (ObjectID) -> Void) {
        deleted.forEach(body)
        for (space, keys) in bulkDeletes.deleted.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            for key in keys.keys { body(ObjectID(space: space, key: key)) }
        }
    }

    /// Every row that was deleted.
    package var deletedRows: RowSet {
        if deleted.isEmpty { return bulkDeletes.deleted }
        var rows = bulkDeletes.deleted
        rows.formUnion(RowSet(deleted))
        return rows
    }

    /// Stores and entities of the rows that came, changed or went one by one.
    var listedSpaces: Set<IDSpace> {
        var spaces: Set<IDSpace> = []
        for ids in [inserted, updatedIDs, deleted] { spaces.insertSpaces(of: ids) }
        spaces.insertSpaces(of: updated.lazy.map(\.id))
        return spaces
    }

    /// The stores that were written to.
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
    }

    /// How much it weighs. Sets of rows are shared by all who are told.
    var count: Int { 1 + inserted.count + updated.count + updatedIDs.count + deleted.count }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && updatedIDs.isEmpty && deleted.isEmpty && bulkDeletes.isEmpty && !isOverflow
    }
}

extension Set<IDSpace> {
    /// Neighbours mostly are of one space, which is asked for once.
    fileprivate mutating func insertSpaces(of ids: some Sequence<ObjectID>) {
        var last: IDSpace?
        for id in ids where id.space != last {
            insert(id.space)
            last = id.space
        }
    }
}
