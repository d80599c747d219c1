/// The changes of a graph since they were last taken: edited, inserted, deleted and refreshed objects, rows that others
/// changed, and sets of rows that went or came back.
///
/// The log says which objects to look at again, not what has become of them: their present state is read when it is taken. Beyond a limit it only says that anything may have changed.
final class ChangeLog {
    struct Entry {
        let record: Record
        var mask: PropertyMask
    }

    /// An object whose identity changed: by a save, or because it became a new one.
    struct Renaming {
        let former: ObjectID
        let record: Record
    }

    struct Changes {
        /// May contain a record several times.
        var records: [Entry] = []
        /// In order.
        var renamings: [Renaming] = []
        /// Rows that others changed, or that have no record.
        var rows: [ObjectID: PropertyMask] = [:]
        /// Rows that are gone, or hidden by a pending deletion.
        var removed = RowSet()
        /// Rows that exist again.
        var returned = RowSet()
        /// Rows that lost links to deleted ones, or have them again.
        var relinked: [NullifiedLink] = []
        /// Whether there were more changes than were kept, so that any row may have changed.
        var isOverflow = false

        var isEmpty: Bool {
            records.isEmpty && renamings.isEmpty && rows.isEmpty && removed.isEmpty && returned.isEmpty
                && relinked.isEmpty && !isOverflow
        }
    }

    private var changes = Changes()
    /// Whether objects are being read because they have changed, so that newer values are no further change.
    var isReading = false
    private var compactAt = ChangeLog.leastCompaction

    private static let leastCompaction = 4096
    private static let mostRows = 100_000

    var isEmpty: Bool { changes.isEmpty }

    func take() -> Changes {
        defer {
            changes = Changes()
            compactAt = Self.leastCompaction
        }
        return changes
    }

    // MARK: Objects

    func note(_ record: Record, _ mask: PropertyMask) {
        if changes.isOverflow { return }
        if let last = changes.records.indices.last, changes.records[last].record === record {
            return changes.records[last].mask.formUnion(mask)
        }
        changes.records.append(Entry(record: record, mask: mask))
        if changes.records.count > compactAt { compact() }
    }

    /// Call this when the record's identity has changed.
    func noteRenamed(_ record: Record, from former: ObjectID) {
        if changes.isOverflow { return }
        changes.renamings.append(Renaming(former: former, record: record))
        if changes.renamings.count > Self.mostRows { overflow() }
    }

    /// Joins the entries of each record.
    private func compact() {
        var places: [ObjectIdentifier: Int] = [:]
        var joined: [Entry] = []
        for entry in changes.records {
            if let place = places[ObjectIdentifier(entry.record)] {
                joined[place].mask.formUnion(entry.mask)
            } else {
                places[ObjectIdentifier(entry.record)] = joined.count
                joined.append(entry)
            }
        }
        changes.records = joined
        compactAt = max(Self.leastCompaction, 2 * joined.count)
        if joined.count > Self.mostRows { overflow() }
    }

    // MARK: Rows

    func noteRow(_ id: ObjectID, _ mask: PropertyMask) {
        if changes.isOverflow { return }
        changes.rows[id, default: PropertyMask()].formUnion(mask)
        if changes.rows.count > Self.mostRows { overflow() }
    }

    func noteRemoved(_ rows: RowSet) {
        if rows.isEmpty || changes.isOverflow { return }
        changes.removed.formUnion(rows)
        if !changes.returned.isEmpty { changes.returned = changes.returned.subtracting(rows) }
        if !changes.rows.isEmpty { changes.rows = changes.rows.filter { !rows.contains($0.key) } }
    }

    func noteReturned(_ rows: RowSet) {
        if rows.isEmpty || changes.isOverflow { return }
        changes.returned.formUnion(rows)
        if !changes.removed.isEmpty { changes.removed = changes.removed.subtracting(rows) }
    }

    func noteRelinked(_ links: [NullifiedLink]) {
        if links.isEmpty || changes.isOverflow { return }
        changes.relinked += links
    }

    func noteReplaced(_ former: BulkDeletes, by other: BulkDeletes) {
        noteReturned(former.deleted.subtracting(other.deleted))
        noteRemoved(other.deleted.subtracting(former.deleted))
        noteRelinked(former.cleared)
        noteRelinked(other.cleared)
    }

    func overflow() {
        changes = Changes()
        changes.isOverflow = true
    }

    /// Notes changes that others saved, before the graph merges them.
    func note(_ saved: SavedChanges, in graph: Graph) {
        if saved.isOverflow { return overflow() }
        // Bulk deletes precede all other changes.
        noteRemoved(saved.bulkDeletes.deleted)
        noteRelinked(saved.bulkDeletes.cleared)
        noteRemoved(RowSet(saved.deleted))
        let existing = saved.inserted + saved.updatedIDs + saved.updated.map(\.id)
        if !changes.removed.isEmpty, !existing.isEmpty {
            changes.removed = changes.removed.subtracting(RowSet(existing))
        }
        for id in saved.inserted { noteRow(id, .all) }
        for id in saved.updatedIDs { noteRow(id, .all) }
        for row in saved.updated { noteRow(row.id, mask(of: row, in: graph)) }
    }

    /// Compares a row with the values known of it. If these are as new, they may have been read after the save, so that
    /// they do not show what it changed.
    private func mask(of row: Snapshot, in graph: Graph) -> PropertyMask {
        guard let record = graph.registeredRecord(for: row.id), !record.isFault, !record.hasChanges,
            record.version < row.version
        else { return .all }
        return PropertyMask(from: record.values, to: row.values)
    }
}
