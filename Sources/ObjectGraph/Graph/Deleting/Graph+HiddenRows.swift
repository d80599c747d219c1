/// Rows of bulk deletes are hidden from the call on: registered objects, and rows that are read, are as they will be once the
/// deletes are carried out.
extension Graph {
    /// Records of these rows.
    /// - Complexity: O(n) in the records registered, whatever the number of rows.
    func registered(in rows: RowSet) -> [Record] {
        rows.isEmpty ? [] : identityMap.all.filter { rows.contains($0.id) && !$0.isGone }
    }

    /// A row as it looks once pending bulk deletes are done. They are not passed on: a copy for every row read would cost more
    /// than all else that is done with it here.
    func row(_ stored: Snapshot) -> Snapshot {
        deletes.bulk.isEmpty ? stored : row(stored, after: deletes.bulk)
    }

    /// A row as it will be once bulk deletes are carried out, also where another context has linked it with a deleted row since.
    func row(_ stored: Snapshot, after bulk: BulkDeletes) -> Snapshot {
        var snapshot = bulk.applied(to: stored)
        // Rows that are deleted keep what they referred to.
        guard !bulk.deleted.contains(stored.id), let entity = entity(of: stored.id) else { return snapshot }
        for relationship in entity.toOneRelationships where isClearedByDeletes(relationship) {
            guard let slot = relationship.slot, slot < snapshot.values.count,
                case .reference(let id) = snapshot.values[slot], bulk.deleted.contains(id)
            else { continue }
            snapshot.values[slot] = .null
        }
        return snapshot
    }

    /// Registered objects of the rows are deleted, and others lose their stored links to them, with nothing to be saved about
    /// it. Deleted objects keep their links: those are what taking them back restores.
    /// - Complexity: O(n) in the records registered and the members read.
    func hide(_ rows: RowSet, _ cleared: [ClearedLink]) {
        guard !rows.isEmpty else { return }
        for record in registered(in: rows) { unsaved.noteDeleted(record) }
        let linksBySpace = Dictionary(grouping: cleared, by: \.space)
        for record in Array(identityMap.all) where !record.isGone && !record.isDeleted {
            // Members may be read of an object that is not.
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

    private func clear(_ link: ClearedLink, of record: Record, leadingTo rows: RowSet) {
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
        record.observer?.willChange(record, relationship: relationship)
        change()
        record.observer?.didChange(record, relationship: relationship)
    }
}
