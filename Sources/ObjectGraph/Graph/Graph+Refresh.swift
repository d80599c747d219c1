/// Reading objects again.
extension Graph {
    /// Turns an object into a fault and discards its edits, including the other ends of its links. Unsaved objects and
    /// those pending deletion stay unchanged; so does an object that edits of others are linked to, but it is read
    /// again.
    package func refault(_ record: Record) {
        guard record.graph === self, !record.isInserted, !record.isDeleted, !record.isGone else { return }
        if record.isUpdated { restoreAlone(record) }
        guard record.isUpdated else { return makeFault(record) }
        // Edits of other objects are linked to it.
        do {
            try refreshKeepingEdits(record)
        } catch {
            face?.report(error)
        }
    }

    /// Reads an object's row again and reapplies its edits. Marks an object whose row does not exist as gone.
    /// - Throws: Errors of reading the store.
    package func refreshKeepingEdits(_ record: Record) throws {
        guard let store, record.graph === self, !record.isInserted, !record.isGone else { return }
        guard let stored = try store.snapshots(of: [record.id]).first else {
            if !record.isDeleted { leave(record, as: .rowMissing) }
            return
        }
        record.discardStoredMembers()
        refresh(record, with: stored)
    }

    /// Turns all objects without edits into faults.
    package func refaultUnedited() { faultUneditedRecords() }

    func makeFault(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        record.values = []
        record.carried = nil
        record.status.insert(.fault)
        record.status.remove(.stale)
        record.discardStoredMembers()
        record.observer?.didChange(record, relationship: nil)
    }

    /// All registered records.
    package var registeredRecords: [Record] { Array(identityMap.all) }

    /// Updates objects that have been read with newer rows; unsaved edits are kept.
    /// - Returns: The records that changed.
    func mergeSnapshots(_ snapshots: [Snapshot]) -> [Record] {
        var changed: [Record] = []
        for snapshot in snapshots {
            guard let record = identityMap[snapshot.id], !record.isFault else { continue }
            guard record.version != snapshot.version else {
                if adoptDerivedValues(record, from: snapshot) { changed.append(record) }
                continue
            }
            if record.hasChanges { rebase(record, onto: snapshot) } else { refresh(record, with: snapshot) }
            changed.append(record)
        }
        return changed
    }
}
