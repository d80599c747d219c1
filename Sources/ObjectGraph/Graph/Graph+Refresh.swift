/// Reading objects again.
extension Graph {
    /// Turns an object back into a fault; its edits are given up, at the other ends of its links too. Unsaved objects, and
    /// those that wait for deletion, stay as they are; so does one that others' edits are linked with, but that it is read
    /// again.
    package func refault(_ record: Record) {
        guard record.graph === self, !record.isInserted, !record.isDeleted, !record.isGone else { return }
        if record.isUpdated { restoreAlone(record) }
        guard record.isUpdated else { return makeFault(record) }
        // Others' edits are linked with it.
        do {
            try refreshKeepingEdits(record)
        } catch {
            face?.report(error)
        }
    }

    /// Reads an object's row again and puts its edits on top. An object whose row is gone says so.
    /// - Throws: What reading the store throws.
    package func refreshKeepingEdits(_ record: Record) throws {
        guard let store, record.graph === self, !record.isInserted, !record.isGone else { return }
        guard let stored = try store.snapshots(of: [record.id]).first else {
            if !record.isDeleted { markGone(record) }
            return
        }
        for index in record.toMany.indices { record.toMany[index].forgetStored() }
        refresh(record, with: stored)
    }

    /// Everything unedited becomes a fault.
    package func refaultUnedited() { forgetEverythingRead() }

    func makeFault(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        record.values = []
        record.carried = nil
        record.status.insert(.fault)
        record.status.remove(.stale)
        for index in record.toMany.indices { record.toMany[index].forgetStored() }
        record.observer?.didChange(record, relationship: nil)
    }

    /// Every registered record.
    package var registeredRecords: [Record] { Array(identityMap.all) }

    /// Takes in rows as they are now, for objects that have been read; edits stay on top.
    /// - Returns: those that changed.
    func takeIn(_ snapshots: [Snapshot]) -> [Record] {
        var changed: [Record] = []
        for snapshot in snapshots {
            guard let record = identityMap[snapshot.id], !record.isFault else { continue }
            guard record.version != snapshot.version else {
                if takeDerived(record, from: snapshot) { changed.append(record) }
                continue
            }
            if record.hasChanges { rebase(record, onto: snapshot) } else { refresh(record, with: snapshot) }
            changed.append(record)
        }
        return changed
    }
}
