/// Saving: unsaved changes become a change set, are written in one transaction, and are then the stored state.
extension Graph {
    /// Writes all unsaved changes. After an error, nothing is written and they stay unsaved.
    /// - Throws: `ValidationError`, or errors of the store.
    @discardableResult
    package func save(author: String? = nil) throws -> SavedChanges {
        guard let store, !unsaved.isEmpty || !saveOptions.watched.isEmpty else { return SavedChanges() }
        if !merging.stale.isEmpty { endUndoneEdits() }
        try throwRefused()
        if !unsaved.unreadable.isEmpty {
            defer { unsaved.unreadable = [] }
            try throwUnreadable()
        }
        try propagateMarkedDeletes()
        for _ in 0..<Self.conflictRounds {
            removeLinksToDiscarded()
            if let error = ValidationError.combined(try validationErrors()) { throw error }
            try refuseDeniedBulkDeletes()
            let work = SaveRecords(graph: self, author: author)
            switch try store.save(work.changes) {
            case .saved(let rows):
                var saved = adopt(work, rows)
                saved.transactions = rows.transactions(of: store.identifier)
                return saved
            case .conflicts(let conflicts):
                try resolve(conflicts)
                try repropagateDeletes()
            }
        }
        throw SaveError.conflictsPersist
    }

    /// Removes references to objects that were deleted before they were saved, as these have no row. Inverse upkeep
    /// does not reach references without an inverse, or those that a delete rule keeps.
    private func removeLinksToDiscarded() {
        guard unsaved.hasDiscardedInsertions else { return }
        for record in unsaved.inserted + unsaved.updated {
            for relationship in record.entity.relationships {
                for id in unsavedDestinations(of: record, relationship) where identityMap[id] == nil {
                    removeHalf(record, relationship, id)
                }
            }
        }
    }

    private func unsavedDestinations(of record: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        if let slot = relationship.slot {
            guard case .reference(let id) = record.value(slot) else { return [] }
            return isUnsaved(id) ? [id] : []
        }
        guard let index = relationship.toManyIndex else { return [] }
        return record.members(index).added.all.filter(isUnsaved)
    }

    private func isUnsaved(_ id: ObjectID) -> Bool { id.isTemporary || unsaved.reservedIDs.contains(id) }

    /// Limits the retries if others keep changing the same rows. Each round fails because another save succeeded, and
    /// nothing is locked between reading a row and the retry, so several writers of one row need many rounds.
    private static var conflictRounds: Int { 64 }

    // MARK: After the store has written

    private func adopt(_ work: SaveRecords, _ rows: SavedRows) -> SavedChanges {
        editedLists.removeAll()
        let permanent = PermanentIDs(of: work.changes.insertions, in: rows.inserted)
        var saved = SavedChanges()
        saved.inserted.reserveCapacity(rows.inserted.count)
        identityMap.remove(work.inserted)
        identityMap.reserve(work.inserted.count)
        for (record, row) in zip(work.inserted, rows.inserted) {
            adoptIdentity(record, row)
            if !row.replaced { saved.inserted.append(row.id) }
        }
        for (record, version) in zip(work.updated, rows.updatedVersions) { record.version = version }
        for records in [work.inserted, work.updated, work.withoutChanges] {
            for record in records { markSaved(record, permanent) }
        }
        clearStaleMarks(work)
        readDerived(of: work)
        saved.updatedIDs = adoptAdjusted(rows.adjusted, new: saved.inserted)
        for (record, row) in zip(work.inserted, rows.inserted) where row.replaced {
            // The row had members before; they are read at the next access.
            record.toMany = []
            // If several insertions were saved in one row, the last one represents it.
            if identityMap[row.id] === record { saved.updated.append(snapshot(record)) }
        }
        saved.updated += work.updated.map(snapshot)
        if deletes.bulk.exceed(rows.plan) {
            // The store kept links that the pending deletes hid here, so the values here differ from the rows.
            saved.updatedIDs += saved.updated.map(\.id)
            saved.updated = []
        }
        saved.deleted = work.changes.deletions.map(\.id)
        saved.bulkDeletes = rows.plan
        let bulk = deletes.bulk
        // Others deleted some of the rows that the plan did not find.
        let hidden =
            bulk.isEmpty
            ? RowSet()
            : bulk.deleted.subtracting(rows.plan.deleted).subtracting(
                RowSet(deletes.records(deletedBy: .remote).lazy.map(\.id)))
        unsaved = UnsavedChanges()
        edits.numbers?.removeAll()
        leave(hidden.isEmpty ? work.deleted : work.deleted.filter { !hidden.contains($0.id) }, as: .saved)
        finishBulkDelete(bulk, as: rows.plan, showing: hidden, updated: work.updated)
        discardMembers(leftBy: work.deleted)
        // A row that an insertion replaced may have left member lists.
        discardMembers(in: Set(zip(work.inserted, rows.inserted).filter(\.1.replaced).map(\.1.id.space)))
        return saved
    }

    /// Applies changes of links that the store made by itself.
    /// - Returns: The rows with these links, except for new ones.
    private func adoptAdjusted(_ links: [SavedRows.AdjustedReference], new: [ObjectID]) -> [ObjectID] {
        if links.isEmpty { return [] }
        for reference in links {
            // Noted behind the change, as observers of the object may ask for results before it.
            defer { log.followed?.noteRow(reference.id, .all) }
            guard let record = identityMap[reference.id], !record.isFault,
                record.entity.relationships.indices.contains(reference.relationshipIndex)
            else { continue }
            let relationship = record.entity.relationships[reference.relationshipIndex]
            guard .next(after: record.version) == reference.version, let slot = relationship.slot else {
                // Another context saved it meanwhile.
                discardValues(of: record)
                continue
            }
            record.observer?.willChange(record, relationship: relationship)
            record.values[slot] = reference.destination.map(Value.reference) ?? .null
            record.version = reference.version
            record.observer?.didChange(record, relationship: relationship)
        }
        let new = Set(new)
        return links.map(\.id).filter { !new.contains($0) }
    }

    private func adoptIdentity(_ record: Record, _ row: SavedRows.Inserted) {
        log.noteRenamed(record, from: record.id)
        if row.replaced { log.followed?.note(record, .all) }
        record.id = row.id
        record.version = row.version
        if let older = identityMap[row.id], older !== record { replace(older, by: record) }
        identityMap.insert(record)
    }

    /// Replaces an older record, because a uniqueness constraint made the new one represent its row. So do the older one's
    /// objects from now on, of which there may be several.
    private func replace(_ older: Record, by record: Record) {
        let objects = (older.object.map { [$0] } ?? []) + older.replacedObjects
        let observer = older.observer
        observer?.willChange(older, relationship: nil)
        record.observer = record.observer ?? observer
        leave(older, as: .replaced)
        for object in objects { face?.redirect(object, to: record) }
        record.addReplaced(objects)
        observer?.didChange(record, relationship: nil)
    }

    /// Makes the current values the stored ones, and replaces temporary identifiers with permanent ones.
    private func markSaved(_ record: Record, _ permanent: PermanentIDs) {
        if !permanent.isEmpty {
            for relationship in record.entity.toOneRelationships {
                guard let slot = relationship.slot, slot < record.values.count,
                    case .reference(let id) = record.values[slot], id.isTemporary, let new = permanent[id]
                else { continue }
                record.values[slot] = .reference(new)
                log.followed?.note(record, PropertyMask(slot: slot))
            }
        }
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count else { continue }
            if record.isInserted, !record.toMany[index].isRead { _ = record.toMany[index].read([]) }
            record.toMany[index].adopt(permanent, isOrdered: relationship.relationship.isOrdered)
        }
        record.committed = nil
        record.status.subtract([.inserted, .updated])
    }

    /// Written and new rows are equal to this graph's values; the others may be newer.
    private func clearStaleMarks(_ work: SaveRecords) {
        for record in work.inserted { record.status.remove(.stale) }
        for record in work.updated { record.status.remove(.stale) }
        for record in work.withoutChanges { discardStaleValues(of: record) }
    }

    /// Adapts to the plan made in the transaction, which may have deleted more or fewer rows than the one made at the
    /// call.
    /// - Parameter hidden: Rows of the plan made at the call that still exist.
    private func finishBulkDelete(
        _ bulk: BulkDeletes, as plan: DeletePlan, showing hidden: RowSet, updated: [Record]
    ) {
        if !bulk.isEmpty { edits.bulkSaves += 1 }
        // First, because others may have deleted these rows, which merging finds.
        reveal(hidden)
        finishDeletedRows(plan, updated: updated)
        // Values of other rows were read without links to rows that were hidden but not deleted.
        if bulk.exceed(plan) { faultUneditedRecords() }
    }

    private func reveal(_ rows: RowSet) {
        log.followed?.noteReturned(rows)
        for record in registered(in: rows) { deletes.undelete(record) }
    }

    private func finishDeletedRows(_ plan: DeletePlan, updated: [Record]) {
        guard !plan.isEmpty else { return }
        log.followed?.noteRemoved(plan.deleted)
        log.followed?.noteRelinked(plan.cleared)
        leave(registered(in: plan.deleted), as: .saved)
        let known = versions(ofRowsIn: plan.cleared)
        // The plan incremented versions that other saves may have changed before, and there may have been saves since.
        mergeWaitingChanges()
        let versions = updated.map(\.version)
        removeLinks(to: plan.deleted, nullifying: plan.cleared, .saved(known: known))
        // The save returned their versions.
        for (record, version) in zip(updated, versions) { record.version = version }
    }

    private func versions(ofRowsIn links: [NullifiedLink]) -> [ObjectID: RowVersion] {
        let keys = links.reduce(into: RowSet()) { $0.insert($1.keys, in: $1.space) }
        let read = registered(in: keys).filter { !$0.isFault }
        return Dictionary(read.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
    }

    /// Discards member lists that inverse upkeep does not update when a member is deleted, to read them at the next
    /// access.
    private func discardMembers(leftBy deleted: [Record]) {
        guard let model, !deleted.isEmpty else { return }
        var roots: Set<Int> = []
        var last: Int?
        for root in deleted.lazy.map(\.entity.rootIndex) where root != last {
            roots.insert(root)
            last = root
        }
        for record in identityMap.all where !record.toMany.isEmpty {
            for relationship in record.entity.relationships {
                guard let index = relationship.toManyIndex, record.members(index).isRead,
                    roots.contains(model.destination(of: relationship).rootIndex),
                    relationship.keepsDeletedDestinations
                else { continue }
                record.toMany[index].discardStored()
            }
        }
    }

    /// Returns the row for other contexts, without transient values, which belong to this graph alone.
    private func snapshot(_ record: Record) -> Snapshot {
        var values = record.values
        for slot in ownSlots(of: record.entity) where slot < values.count { values[slot] = .null }
        return Snapshot(id: record.id, version: record.version, values: values)
    }
}
