/// Deleting by query: no row is read to be deleted. The set is fixed at the call and hidden at once; the rows go at the
/// save, in its transaction.
extension Graph {
    /// Deletes what the query matches, stored and unsaved, and what cascades reach from it.
    /// - Parameter limit: with more objects than this, those that cascades reach included, nothing is deleted.
    /// - Throws: `DeleteError.tooManyRows`, and what reading the store throws; nothing is deleted then.
    /// - Complexity: The statements of a plan, and one for the identities where there is unsaved work.
    package func delete(matching query: Query, atMost limit: Int? = nil) throws {
        guard let planned = try bulkPlan(of: query, atMost: limit) else { return }
        mark(planned)
    }

    /// As `delete(matching:atMost:)`, for rows found otherwise than by a query.
    package func delete(rows: RowSet, atMost limit: Int? = nil) throws {
        mergeWaitingChanges()
        guard let planned = try bulkPlan(of: rows, atMost: limit) else { return }
        mark(planned)
    }

    /// As `delete(matching:atMost:)`, in a way that can be taken back after the save.
    /// - Returns: the token to restore by; `nil` when nothing matches.
    /// - Throws: `DeleteError.unsavedWork` where objects with unsaved work would be deleted, as that cannot be restored; else
    ///   as `delete(matching:atMost:)`.
    package func deleteRecoverably(matching query: Query, atMost limit: Int? = nil) throws -> RecoveryToken? {
        guard let planned = try bulkPlan(of: query, atMost: limit) else { return nil }
        if !deletedWithUnsavedWork(planned.plan).isEmpty { throw DeleteError.unsavedWork }
        mark(planned)
        return deletes.bulk.keep()
    }

    private func deletedWithUnsavedWork(_ plan: DeletePlan) -> [Record] {
        (unsaved.inserted + unsaved.updated).filter { plan.deleted.contains($0.id) }
    }

    // MARK: Planning

    /// What a delete by query does, planned over what the context has.
    private struct BulkPlan {
        var plan: DeletePlan
        /// The state of the store before the plan was made, where the plan is made of that alone.
        var moment: StoreMoment?
    }

    /// - Returns: `nil` where nothing matches.
    private func bulkPlan(of query: Query, atMost limit: Int?) throws -> BulkPlan? {
        guard let store = try store?.requireSetDeleting() else { return nil }
        mergeWaitingChanges()
        guard unsaved.isEmpty else {
            return try bulkPlan(of: RowSet(fetchIDs(query)), atMost: limit)
        }
        var request = DeleteRequest(.matching(query))
        request.mostRows = limit
        request.counts = .checked
        let moment = try store.moment()
        let plan = try store.plan(request)
        return plan.isEmpty ? nil : BulkPlan(plan: plan, moment: moment)
    }

    private func bulkPlan(of rows: RowSet, atMost limit: Int?) throws -> BulkPlan? {
        var request = DeleteRequest(.rows(rows))
        request.mostRows = limit
        return try bulkPlan(request, hiding: hiddenRows)
    }

    /// - Parameter hidden: rows that are deleted already.
    private func bulkPlan(_ request: DeleteRequest, hiding hidden: RowSet) throws -> BulkPlan? {
        guard let store = try store?.requireSetDeleting() else { return nil }
        let edited = editedRecords
        let plan = try store.readForDelete { try Self.plan(request, over: $0, edited, hidden) }
        return plan.isEmpty ? nil : BulkPlan(plan: plan)
    }

    /// Rows that only unsaved links refer to are among the roots, as the store does not find them at the save.
    private static func plan(
        _ request: DeleteRequest, over store: some DeleteReading, _ edited: [Record], _ hidden: RowSet
    ) throws -> DeletePlan {
        let reading = OverlayReading(store, edited: edited, hidden: hidden)
        var plan = try DeletePlanner.unjudgedPlan(request, reading)
        plan.roots.formUnion(reading.reachedByUnsavedLinks.intersection(plan.deleted))
        return plan
    }

    /// Objects that may have other links than their rows. What was edited before it was deleted has, too.
    private var editedRecords: [Record] {
        unsaved.inserted + unsaved.updated + unsaved.deleted.filter(\.isUpdated)
    }

    /// Rows that are deleted here, and those of identities that were reserved for objects dropped since.
    private var hiddenRows: RowSet {
        var hidden = deletes.bulk.deleted.union(RowSet(unsaved.deleted.map(\.id)))
        if !unsaved.reservedIDs.isEmpty {
            hidden.formUnion(RowSet(unsaved.reservedIDs.filter { identityMap[$0]?.isInserted != true }))
        }
        return hidden
    }

    /// Judges the `deny` rules of bulk deletes over links that were made here and not saved. Those that are stored are judged
    /// by the store, in the transaction of the save.
    /// - Throws: `DeleteError.refused`.
    func refuseDeniedBulkDeletes() throws {
        let edited = editedRecords
        guard let model, !edited.isEmpty, !deletes.bulk.isEmpty else { return }
        let reading = OverlayReading(NoRows(model: model), edited: edited, hidden: hiddenRows)
        let refusals = try DeletePlanner.denials(of: deletes.bulk.deleted, reading)
        if !refusals.isEmpty { throw DeleteError.refused(refusals) }
    }

    // MARK: Marking

    private func mark(_ planned: BulkPlan) {
        editCount &+= 1
        let rows = planned.plan.deleted
        let dropped = unsaved.inserted.filter { rows.contains($0.id) && !$0.isDeleted }
        let stored = storedPart(of: planned.plan, without: dropped)
        removeUnsavedLinks(to: rows)
        if !unsaved.refused.isEmpty { for record in registered(in: rows) { unsaved.refused.resolveAll(of: record) } }
        apply(Closure(doomed: dropped))
        if !stored.isEmpty {
            noteUndo(.bulkDelete(before: deletes.bulk, saveCount: bulkSaveCount))
            deletes.bulk.add(stored, since: planned.moment)
            hide(stored.deleted, stored.cleared)
        }
        tellFace()
    }

    /// What the save does in the store: without objects that were never saved, and without survivors whose links it writes.
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

    private func isEdited(_ link: ClearedLink, of record: Record) -> Bool {
        guard record.entity.relationships.indices.contains(link.relationshipIndex) else { return false }
        return record.isRelinked(record.entity.relationships[link.relationshipIndex])
    }

    /// Links that were made here and never saved: survivors lose them as when their destinations are deleted one by one.
    private func removeUnsavedLinks(to rows: RowSet) {
        for record in unsaved.inserted + unsaved.updated where !rows.contains(record.id) {
            for relationship in record.entity.relationships where effect(backAlong: relationship) == .clearInverse {
                for id in unsavedLinks(of: record, relationship) where rows.contains(id) {
                    removeHalf(record, relationship, id)
                }
            }
        }
    }

    private func unsavedLinks(of record: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        if let index = relationship.toManyIndex { return record.members(index).added.all }
        guard record.isRelinked(relationship), let slot = relationship.slot, slot < record.values.count,
            case .reference(let id) = record.values[slot]
        else { return [] }
        return [id]
    }

    // MARK: Taking back

    /// Returns to other bulk deletes, or to none.
    func replaceBulkDeletes(by other: BulkDeletes) {
        guard deletes.bulk != other else { return }
        let former = deletes.bulk
        deletes.bulk = other
        for record in registered(in: former.deleted.subtracting(other.deleted)) where record.isDeleted {
            record.status.remove(.deleted)
            unsaved.forgetDeleted(record)
        }
        forgetEverythingRead()
        readAgain(after: former)
        hide(other.deleted, other.cleared)
    }

    /// Edited survivors keep their edits, and get back the links they had lost.
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

    /// An archived deletion is restored as a whole, so a row that a cascade deletes with others is not left out of it.
    private func refuseToKeep(_ id: ObjectID) throws {
        if deletes.bulk.recovery == .none { return }
        let rest = DeleteRequest(.rows(deletes.bulk.roots.subtracting(RowSet([id]))))
        let planned = try bulkPlan(rest, hiding: hiddenRows.subtracting(deletes.bulk.deleted))
        if planned?.plan.deleted.contains(id) == true { throw GraphError.deletedRecoverably(id) }
    }

    /// One of the rows is to stay after all; what a cascade deletes below it stays deleted.
    /// - Throws: `GraphError.deletedRecoverably`, and what reading the store throws; everything is as before then.
    func leaveOutOfBulkDeletes(_ record: Record) throws {
        try refuseToKeep(record.id)
        let kept = RowSet([record.id])
        var request = DeleteRequest(.rows(deletes.bulk.deleted.subtracting(kept)))
        request.kept = deletes.bulk.kept.union(kept)
        let planned = try bulkPlan(request, hiding: hiddenRows.subtracting(deletes.bulk.deleted))
        noteUndo(.bulkDelete(before: deletes.bulk, saveCount: bulkSaveCount))
        replaceBulkDeletes(
            by: deletes.bulk.replaced(by: planned.map { storedPart(of: $0.plan, without: []) }, keeping: request.kept))
    }
}
