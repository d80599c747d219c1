/// Reading objects again.
extension Graph {
    /// Turns an object back into a fault; its edits are given up. Unsaved objects, and those that wait for deletion, stay
    /// as they are.
    package func refault(_ record: Record) {
        guard record.graph === self, !record.isInserted, !record.isDeleted, !record.isGone else { return }
        if record.isUpdated {
            withoutUndo { takeBackLinks(of: record) }
            pending.forgetUpdated(record)
            restore(record)
        }
        makeFault(record)
    }

    /// The other ends lead where the object's own edits no longer do.
    private func takeBackLinks(of record: Record) {
        for relationship in record.entity.relationships where relationship.inverseIndex != nil {
            if let slot = relationship.slot {
                guard let committed = record.committed, slot < committed.count, committed[slot] != record.values[slot]
                else { continue }
                setDestination(of: record, relationship, to: survivor(in: committed[slot]))
            } else if let index = relationship.toManyIndex {
                let members = record.members(index)
                for id in members.added.all { disconnect(record, relationship, fromID: id) }
                for id in members.removed {
                    if let member = survivor(in: .reference(id)) { connect(record, relationship, member) }
                }
            }
        }
    }

    /// What is to be deleted takes along, or cuts loose, whoever leads to it again.
    private func survivor(in value: Value) -> Record? {
        guard case .reference(let id) = value, let record = self.record(for: id), !record.isGone else { return nil }
        if record.isDeleted { deletesWantSpreading = true }
        return record.isDeleted ? nil : record
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

    private func makeFault(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        record.values = []
        record.status.insert(.fault)
        for index in record.toMany.indices { record.toMany[index].forgetStored() }
        record.observer?.didChange(record, relationship: nil)
    }

    /// Every registered record.
    package var registeredRecords: [Record] { Array(identityMap.all) }

    /// Takes in rows as they are now, for objects that have been read; edits stay on top.
    /// - Returns: those that changed.
    package func takeIn(_ snapshots: [Snapshot]) -> [Record] {
        var changed: [Record] = []
        for snapshot in snapshots {
            guard let record = identityMap[snapshot.id], !record.isFault, record.version != snapshot.version else {
                continue
            }
            if record.hasChanges { rebase(record, onto: snapshot) } else { refresh(record, with: snapshot) }
            changed.append(record)
        }
        return changed
    }
}
