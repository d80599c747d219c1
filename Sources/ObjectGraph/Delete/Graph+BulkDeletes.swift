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

    /// Rows that only unsaved links lead to are among the roots, as the store does not find them at the save.
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
            hide(stored)
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

    private func hide(_ plan: DeletePlan) {
        for record in registered(in: plan.deleted) { unsaved.noteDeleted(record) }
        cutLoose(from: plan.deleted, plan.cleared, versions: .kept)
    }

    // MARK: What is registered

    /// Records of these rows.
    /// - Complexity: O(n) in the records registered, whatever the number of rows.
    func registered(in rows: RowSet) -> [Record] {
        rows.isEmpty ? [] : identityMap.all.filter { rows.contains($0.id) && !$0.isGone }
    }

    /// A row as it looks once the deletes that wait are done. They are not passed on: a copy for every row read would cost
    /// more than all else that is done with it here.
    func row(_ stored: Snapshot) -> Snapshot {
        deletes.bulk.isEmpty ? stored : row(stored, after: deletes.bulk)
    }

    /// A row as it will be once bulk deletes are carried out, also where another context has linked it with a deleted row since.
    private func row(_ stored: Snapshot, after bulk: BulkDeletes) -> Snapshot {
        var snapshot = bulk.applied(to: stored)
        // What goes itself keeps what it led to.
        guard !bulk.deleted.contains(stored.id), let entity = entity(of: stored.id) else { return snapshot }
        for relationship in entity.toOneRelationships where effect(backAlong: relationship) == .clearInverse {
            guard let slot = relationship.slot, slot < snapshot.values.count,
                case .reference(let id) = snapshot.values[slot], bulk.deleted.contains(id)
            else { continue }
            snapshot.values[slot] = .null
        }
        return snapshot
    }

    enum VersionRule {
        case kept
        /// The rows of survivors are one version on, for records that were read before the rows went: those that lead
        /// there, and those that still have the version known from before.
        case raised(known: [ObjectID: RowVersion])
    }

    /// Objects that are read and survive forget the rows: to-one relationships become nil, member lists lose them.
    /// - Complexity: O(n) in the records registered and the members read.
    func cutLoose(from rows: RowSet, _ links: [ClearedLink], versions: VersionRule) {
        guard !rows.isEmpty else { return }
        let linksBySpace = Dictionary(grouping: links, by: \.space)
        for record in Array(identityMap.all) where !record.isGone {
            // What waits to be deleted keeps what it led to: that is what taking it back restores.
            if case .kept = versions, record.isDeleted { continue }
            // Members may be read of an object that is not.
            let losesMembers = !record.toMany.isEmpty && removeMembers(rows, from: record, versions)
            if record.isFault {
                forgetCarried(of: record, leadingTo: rows)
                continue
            }
            let own = linksBySpace[record.id.space]?.filter { $0.keys.contains(record.id.key) } ?? []
            if own.isEmpty { continue }
            if case .raised(let known) = versions,
                known[record.id] == record.version || losesMembers
                    || own.contains(where: { isCommitted($0, of: record, into: rows) })
            {
                record.version = .next(after: record.version)
            }
            for link in own { clear(link, of: record, leadingTo: rows) }
        }
    }

    /// Whether the row led there when it was read.
    private func isCommitted(_ link: ClearedLink, of record: Record, into rows: RowSet) -> Bool {
        let values = record.committed ?? record.values
        guard let slot = link.slot, values.indices.contains(slot), case .reference(let id) = values[slot] else {
            return false
        }
        return rows.contains(id)
    }

    private func clear(_ link: ClearedLink, of record: Record, leadingTo rows: RowSet) {
        guard let slot = link.slot, record.values.indices.contains(slot) else { return }
        if case .reference(let id)? = record.committed?[slot], rows.contains(id) { record.committed?[slot] = .null }
        guard case .reference(let id) = record.values[slot], rows.contains(id) else { return }
        tell(record, link.relationshipIndex) { record.values[slot] = .null }
    }

    /// - Returns: whether any was among the members that were read.
    private func removeMembers(_ rows: RowSet, from record: Record, _ versions: VersionRule) -> Bool {
        var losesRead = false
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count,
                record.toMany[index].mentions(rows)
            else { continue }
            if case .kept = versions, !losesDeletedMembers(relationship) { continue }
            if record.toMany[index].stored?.contains(where: rows.contains) == true { losesRead = true }
            tell(record, relationship.index) {
                if case .kept = versions { record.toMany[index].hide(rows) } else { record.toMany[index].forget(rows) }
            }
        }
        return losesRead
    }

    private func tell(_ record: Record, _ relationshipIndex: Int, _ change: () -> Void) {
        let relationship = record.entity.relationships[relationshipIndex]
        record.observer?.willChange(record, relationship: relationship)
        change()
        record.observer?.didChange(record, relationship: relationship)
    }

    // MARK: Taking back

    /// Returns to other bulk deletes, or to none.
    func replacePlanned(by other: BulkDeletes) {
        guard deletes.bulk != other else { return }
        let former = deletes.bulk
        deletes.bulk = other
        for record in registered(in: former.deleted.subtracting(other.deleted)) where record.isDeleted {
            record.status.remove(.deleted)
            unsaved.forgetDeleted(record)
        }
        forgetEverythingRead()
        readAgain(after: former)
        for record in registered(in: other.deleted) { unsaved.noteDeleted(record) }
        cutLoose(from: other.deleted, other.cleared, versions: .kept)
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

    /// One of the rows is to stay after all; what a cascade deletes below it stays deleted.
    /// - Throws: What reading the store throws; everything is as before then.
    func leaveOutOfPlanned(_ record: Record) throws {
        let kept = RowSet([record.id])
        var request = DeleteRequest(.rows(deletes.bulk.deleted.subtracting(kept)))
        request.kept = deletes.bulk.kept.union(kept)
        let planned = try bulkPlan(request, hiding: hiddenRows.subtracting(deletes.bulk.deleted))
        noteUndo(.bulkDelete(before: deletes.bulk, saveCount: bulkSaveCount))
        replacePlanned(
            by: deletes.bulk.replaced(by: planned.map { storedPart(of: $0.plan, without: []) }, keeping: request.kept))
    }
}
