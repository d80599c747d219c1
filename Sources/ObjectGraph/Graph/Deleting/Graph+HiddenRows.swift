/// Hiding the rows of bulk deletes from the call on: registered objects and rows read later appear as they will be
/// after the save.
extension Graph {
    /// Returns the records of these rows.
    /// - Complexity: O(n) in the number of registered records, regardless of the number of rows.
    func registered(in rows: RowSet) -> [Record] {
        rows.isEmpty ? [] : identityMap.all.filter { rows.contains($0.id) && !$0.isGone }
    }

    /// Returns a row as it will be after the pending bulk deletes. Does not pass them as an argument: a copy for each
    /// row would cost more than everything else done here.
    func row(_ stored: Snapshot) -> Snapshot {
        deletes.bulk.isEmpty ? stored : row(stored, after: deletes.bulk)
    }

    /// Returns a row as it will be after bulk deletes, even if another context has linked it to a deleted row since.
    func row(_ stored: Snapshot, after bulk: BulkDeletes) -> Snapshot {
        var snapshot = bulk.applied(to: stored)
        // Deleted rows keep their references.
        guard !bulk.deleted.contains(stored.id), let entity = entity(of: stored.id) else { return snapshot }
        for relationship in entity.toOneRelationships where isClearedByDeletes(relationship) {
            guard let slot = relationship.slot, slot < snapshot.values.count,
                case .reference(let id) = snapshot.values[slot], bulk.deleted.contains(id)
            else { continue }
            snapshot.values[slot] = .null
        }
        return snapshot
    }

    /// Marks registered objects of the rows as deleted, and removes stored links of other objects to them, without any
    /// change to save. Deleted objects keep their links, so that undoing the deletion restores them.
    /// - Complexity: O(n) in the number of registered records and of read members.
    func hide(_ rows: RowSet, _ cleared: [NullifiedLink]) {
        guard !rows.isEmpty else { return }
        for record in registered(in: rows) { unsaved.noteDeleted(record) }
        let linksBySpace = Dictionary(grouping: cleared, by: \.space)
        for record in Array(identityMap.all) where !record.isGone && !record.isDeleted {
            // A fault may have read members.
            if !record.toMany.isEmpty { hideMembers(rows, of: record) }
            if record.isFault {
                forgetCarried(of: record, leadingTo: rows)
                continue
            }
            for link in linksBySpace[record.id.space] ?? [] where link.keys.contains(record.id.key) {
                clear(link, of: record, leadingTo: rows)
            }
        }
    }

    private func clear(_ link: NullifiedLink, of record: Record, leadingTo rows: RowSet) {
        guard let slot = link.slot, record.values.indices.contains(slot) else { return }
        if case .reference(let id)? = record.committed?[slot], rows.contains(id) { record.committed?[slot] = .null }
        guard case .reference(let id) = record.values[slot], rows.contains(id) else { return }
        tell(record, record.entity.relationships[link.relationshipIndex]) { record.values[slot] = .null }
    }

    private func hideMembers(_ rows: RowSet, of record: Record) {
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count,
                record.toMany[index].mentions(rows), losesDeletedMembers(relationship)
            else { continue }
            tell(record, relationship) { record.toMany[index].hide(rows) }
        }
    }

    private func tell(_ record: Record, _ relationship: EntityRelationship, _ change: () -> Void) {
        changeLog?.note(record, PropertyMask(relationship))
        record.observer?.willChange(record, relationship: relationship)
        change()
        record.observer?.didChange(record, relationship: relationship)
    }
}
