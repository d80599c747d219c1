/// Bulk deletes: rows are deleted without being read. The set of rows is fixed and hidden at the call; the rows are
/// deleted in the transaction of the save.
extension Graph {
    /// Deletes the objects that match the query, stored and unsaved, and those that cascades reach from them.
    /// - Parameter limit: If more objects than this would be deleted, including those reached by cascades, nothing is
    ///   deleted.
    /// - Throws: `DeleteError.tooManyRows`, and errors of reading the store; then nothing is deleted.
    /// - Complexity: The statements of a plan, and one for the identities if there are unsaved changes.
    package func delete(matching query: Query, atMost limit: Int? = nil) throws {
        guard let planned = try bulkPlan(of: query, atMost: limit) else { return }
        mark(planned)
    }

    /// Deletes rows found in another way than by a query; otherwise like `delete(matching:atMost:)`.
    package func delete(rows: RowSet, atMost limit: Int? = nil) throws {
        mergeWaitingChanges()
        guard let planned = try bulkPlan(of: rows, atMost: limit) else { return }
        mark(planned)
    }

    /// Deletes like `delete(matching:atMost:)`, and archives the deletion so that it can be restored after the save.
    /// - Returns: The token for the restore; `nil` if nothing matches.
    /// - Throws: `DeleteError.unsavedChanges` if objects with unsaved changes would be deleted, because these cannot be
    ///   restored; and the errors of `delete(matching:atMost:)`.
    package func deleteRecoverably(matching query: Query, atMost limit: Int? = nil) throws -> RecoveryToken? {
        guard let planned = try bulkPlan(of: query, atMost: limit) else { return nil }
        if !deletedWithUnsavedChanges(planned.plan).isEmpty { throw DeleteError.unsavedChanges }
        mark(planned)
        return deletes.bulk.makeRecoverable()
    }

    private func deletedWithUnsavedChanges(_ plan: DeletePlan) -> [Record] {
        (unsaved.inserted + unsaved.updated).filter { plan.deleted.contains($0.id) }
    }

    // MARK: Planning

    /// - Returns: `nil` if nothing matches.
    private func bulkPlan(of query: Query, atMost limit: Int?) throws -> DeleteRequest.KnownPlan? {
        guard let store = try store?.requireSetDeleting() else { return nil }
        mergeWaitingChanges()
        guard unsaved.isEmpty else {
            return try bulkPlan(of: RowSet(fetchIDs(query)), atMost: limit)
        }
        var request = DeleteRequest(.matching(query))
        request.mostRows = limit
        request.counts = .checked
        let commitMarker = try store.commitMarker()
        let plan = try store.plan(request)
        return plan.isEmpty ? nil : DeleteRequest.KnownPlan(plan, since: commitMarker)
    }

    private func bulkPlan(of rows: RowSet, atMost limit: Int?) throws -> DeleteRequest.KnownPlan? {
        try plan(deleting: rows, hiding: hiddenRows, atMost: limit).map { DeleteRequest.KnownPlan($0) }
    }

    /// - Parameters:
    ///   - hidden: Rows that are deleted already.
    ///   - excluded: Rows that are not deleted if a cascade reaches them.
    /// - Returns: A plan whose roots include rows that only unsaved links refer to; `nil` if the store has none of the
    ///   rows.
    private func plan(
        deleting rows: RowSet, hiding hidden: RowSet, keeping excluded: RowSet = RowSet(), atMost limit: Int? = nil
    ) throws -> DeletePlan? {
        guard let store = try store?.requireSetDeleting() else { return nil }
        let edited = editedRecords
        // Opens the existential.
        func plan(over base: some DeleteReading) throws -> DeletePlan {
            let reading = OverlayReading(base, edited: edited, hidden: hidden)
            var plan = try DeletePlanner.unjudgedPlan(deleting: rows, keeping: excluded, atMost: limit, reading)
            // At the save, the store does not find rows reached by unsaved links.
            plan.roots.formUnion(reading.reachedByUnsavedLinks.intersection(plan.deleted))
            return plan
        }
        let plan = try store.readForDelete { try plan(over: $0) }
        return plan.isEmpty ? nil : plan
    }

    /// Objects whose links may differ from those of their rows, including objects edited before they were deleted.
    private var editedRecords: [Record] {
        unsaved.inserted + unsaved.updated + unsaved.deleted.filter(\.isUpdated)
    }

    /// Rows deleted in this context, and rows with reserved identities of objects that were dropped.
    private var hiddenRows: RowSet {
        var hidden = deletes.bulk.deleted.union(RowSet(unsaved.deleted.map(\.id)))
        if !unsaved.reservedIDs.isEmpty {
            hidden.formUnion(RowSet(unsaved.reservedIDs.filter { identityMap[$0]?.isInserted != true }))
        }
        return hidden
    }

    /// Checks the `deny` rules of bulk deletes for unsaved links. The store checks them for stored links in the
    /// transaction of the save.
    /// - Throws: `DeleteError.refused`.
    func refuseDeniedBulkDeletes() throws {
        let edited = editedRecords
        guard let model, !edited.isEmpty, !deletes.bulk.isEmpty else { return }
        let reading = OverlayReading(NoRows(model: model), edited: edited, hidden: hiddenRows)
        let refusals = try DeletePlanner.denials(of: deletes.bulk.deleted, reading)
        if !refusals.isEmpty { throw DeleteError.refused(refusals) }
    }

    // MARK: Marking

    private func mark(_ planned: DeleteRequest.KnownPlan) {
        edits.count &+= 1
        let rows = planned.plan.deleted
        let dropped = unsaved.inserted.filter { rows.contains($0.id) && !$0.isDeleted }
        let stored = storedPart(of: planned.plan, without: dropped)
        removeUnsavedLinks(to: rows, planned.plan.cleared)
        if !unsaved.refused.isEmpty { unsaved.resolveAllRefused(of: registered(in: rows)) }
        markDeleted(dropped)
        if !stored.isEmpty {
            noteUndo(.bulkDelete(before: deletes.bulk, saveCount: edits.bulkSaves))
            deletes.bulk.add(stored, since: planned.commitMarker)
            log.followed?.noteRemoved(stored.deleted)
            log.followed?.noteRelinked(stored.cleared)
            hide(stored.deleted, stored.cleared)
        }
        notifyFace()
    }

    /// The part of the plan that the store executes: without objects that were never saved, and without survivors whose
    /// links the save writes.
    private func storedPart(of plan: DeletePlan, without dropped: [Record]) -> DeletePlan {
        if unsaved.isEmpty { return plan }
        let dropped = RowSet(dropped.map(\.id))
        var stored = plan
        stored.roots = plan.roots.subtracting(dropped)
        stored.deleted = plan.deleted.subtracting(dropped)
        let edited = Dictionary(grouping: unsaved.inserted + unsaved.updated, by: \.id.space)
        stored.cleared = plan.cleared.compactMap { link in
            let written = edited[link.space]?.filter { isEdited(link, of: $0) } ?? []
            return link.without(KeySet(written.map(\.id.key)))
        }
        return stored
    }

    private func isEdited(_ link: NullifiedLink, of record: Record) -> Bool {
        guard record.entity.relationships.indices.contains(link.relationshipIndex) else { return false }
        return record.hasLinkChanges(record.entity.relationships[link.relationshipIndex])
    }

    /// Removes unsaved links of survivors to deleted rows, as if the destinations were deleted one by one.
    private func removeUnsavedLinks(to rows: RowSet, _ nullified: [NullifiedLink]) {
        let edited = unsaved.inserted + unsaved.updated
        if edited.isEmpty { return }
        for record in edited where !rows.contains(record.id) {
            for relationship in nullified.relationships(of: record) {
                for id in unsavedLinks(of: record, relationship) where rows.contains(id) {
                    removeHalf(record, relationship, id)
                }
            }
        }
    }

    private func unsavedLinks(of record: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        if let index = relationship.toManyIndex { return record.members(index).added.all }
        guard record.hasLinkChanges(relationship), let slot = relationship.slot, slot < record.values.count,
            case .reference(let id) = record.values[slot]
        else { return [] }
        return [id]
    }

    // MARK: Undeleting

    /// Replaces the pending bulk deletes with others, or with none.
    func replaceBulkDeletes(by other: BulkDeletes) {
        guard deletes.bulk != other else { return }
        let former = deletes.bulk
        deletes.bulk = other
        log.followed?.noteReplaced(former, by: other)
        for record in registered(in: former.deleted.subtracting(other.deleted)) where record.isDeleted {
            deletes.undelete(record, from: .bulk)
        }
        faultUneditedRecords()
        readAgain(after: former)
        hide(other.deleted, other.cleared)
    }

    /// Restores nullified links of edited survivors, which keep their edits.
    private func readAgain(after former: BulkDeletes) {
        guard let store, !former.isEmpty else { return }
        let edited = identityMap.all.filter { $0.hasChanges && !$0.isFault && !$0.isInserted && !$0.isGone }
        guard !edited.isEmpty else { return }
        do {
            for snapshot in try store.snapshots(of: edited.map(\.id)) where row(snapshot, after: former) != snapshot {
                if let record = identityMap[snapshot.id] { rebase(record, onto: snapshot) }
            }
        } catch {
            face?.report(error)
        }
    }

    /// Refuses to keep a row that a cascade of an archived deletion deletes, because such a deletion is restored as a
    /// whole.
    private func refuseExclusionIfArchived(_ id: ObjectID) throws {
        if deletes.bulk.recovery == .none { return }
        let rest = deletes.bulk.roots.subtracting(RowSet([id]))
        let plan = try plan(deleting: rest, hiding: hiddenRows.subtracting(deletes.bulk.deleted))
        if plan?.deleted.contains(id) == true { throw GraphError.deletedRecoverably(id) }
    }

    /// Excludes one row from the bulk deletes. Rows that a cascade deletes below it stay deleted.
    /// - Throws: `GraphError.deletedRecoverably`, and errors of reading the store; then nothing is changed.
    func excludeFromBulkDeletes(_ record: Record) throws {
        try refuseExclusionIfArchived(record.id)
        let excluded = deletes.bulk.excluded.union(RowSet([record.id]))
        let plan = try plan(
            deleting: deletes.bulk.deleted.subtracting(RowSet([record.id])),
            hiding: hiddenRows.subtracting(deletes.bulk.deleted), keeping: excluded)
        noteUndo(.bulkDelete(before: deletes.bulk, saveCount: edits.bulkSaves))
        replaceBulkDeletes(
            by: deletes.bulk.replaced(by: plan.map { storedPart(of: $0, without: []) }, keeping: excluded))
    }
}
