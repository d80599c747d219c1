/// Deleting by query: no row is read to be deleted. The set is fixed at the call and hidden at once; the rows go at the
/// save, in its transaction.
extension Graph {
    /// Deletes what the query matches, stored and unsaved, and what the delete rules take along.
    ///
    /// Where unsaved work may change who that is, the objects are read and deleted one by one instead.
    /// - Parameter limit: more rows than this, those taken along included, and nothing is deleted.
    /// - Throws: `DeleteError.tooManyRows`, and what reading the store throws; nothing is deleted then.
    package func delete(matching query: Query, atMost limit: Int? = nil) throws {
        guard let model else { return }
        mergeWaitingChanges()
        if mayReach(query, model) {
            try delete(fetch(query), .query, atMost: limit)
        } else {
            try deletePlanned(query, atMost: limit)
        }
    }

    /// The same in a way that can be taken back after the save.
    /// - Returns: what it can be taken back by; `nil` when nothing matches.
    /// - Throws: `DeleteError.unsavedWork` where unsaved work may change who is deleted; else as without.
    package func deleteRecoverably(matching query: Query, atMost limit: Int? = nil) throws -> RecoveryToken? {
        guard let model else { return nil }
        mergeWaitingChanges()
        guard !mayReach(query, model) else { throw DeleteError.unsavedWork }
        return try deletePlanned(query, atMost: limit) ? deletes.bulk.keep() : nil
    }

    /// - Returns: whether anything matched.
    @discardableResult
    private func deletePlanned(_ query: Query, atMost limit: Int?) throws -> Bool {
        guard let store else { return false }
        var query = query
        query.excluded = deletes.bulk.deleted
        var request = DeleteRequest(.matching(query))
        request.mostRows = limit
        request.counts = .checked
        let deleting = try store.requireSetDeleting()
        let moment = try deleting.moment()
        let plan = try deleting.plan(request)
        guard !plan.isEmpty else { return false }
        noteUndo(.bulkDelete(before: deletes.bulk, saveCount: bulkSaveCount))
        editCount &+= 1
        deletes.bulk.add(plan, since: moment)
        for record in registered(in: plan.deleted) { unsaved.noteDeleted(record) }
        cutLoose(from: plan.deleted, plan.cleared, versions: .kept)
        tellFace()
        return true
    }

    /// Whether objects with unsaved work are among those that the query, or a delete of what it matches, reads.
    private func mayReach(_ query: Query, _ model: Model) -> Bool {
        let changed = Set(
            (unsaved.inserted + unsaved.updated + unsaved.deleted)
                .filter { !deletes.bulk.deleted.contains($0.id) }.map(\.entity.rootIndex))
        guard !changed.isEmpty || !deletes.bulk.isEmpty else { return false }
        let dependencies = query.dependencies(in: model)
        // Rows that earlier deletes hide are still there to be joined with.
        if dependencies.mayRead(deletes.bulk, in: model) { return true }
        let read = dependencies.entityIndexes.union(reach(from: query.entityIndex, model))
        if read.contains(where: { changed.contains(model[$0].rootIndex) }) { return true }
        // What earlier deletes cut loose is stored as it was, so a predicate that reads it would still see it. Who was cut
        // loose hangs below nothing that is left to be deleted.
        let cleared = Set(deletes.bulk.cleared.compactMap { model.entity(named: $0.space.entityName)?.rootIndex })
        return dependencies.entityIndexes.contains { cleared.contains(model[$0].rootIndex) }
    }

    /// Entities whose objects a delete may take or cut loose.
    private func reach(from entityIndex: Int, _ model: Model) -> Set<Int> {
        var reached: Set<Int> = []
        var waiting = [entityIndex]
        while let index = waiting.popLast() {
            for member in model[index].familyIndexes where reached.insert(member).inserted {
                for relationship in model[member].relationships
                where DeleteRules.effect(of: relationship) != .nothing {
                    waiting.append(relationship.destinationIndex)
                }
            }
        }
        return reached
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
            let losesMembers = !record.toMany.isEmpty && removeMembers(rows, from: record)
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
    private func removeMembers(_ rows: RowSet, from record: Record) -> Bool {
        var losesRead = false
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count,
                record.toMany[index].mentions(rows)
            else { continue }
            if record.toMany[index].stored?.contains(where: rows.contains) == true { losesRead = true }
            tell(record, relationship.index) { record.toMany[index].forget(rows) }
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

    /// One of the rows is to stay after all.
    /// - Throws: `GraphError.deletedRecoverably`, and what reading the store throws; everything is as before then.
    func leaveOutOfPlanned(_ record: Record) throws {
        guard deletes.bulk.recovery != .none else { return try expandPlanned() }
        guard let store else { return }
        // Deletes of objects are not archived, so the others stay bulk deletes.
        var request = DeleteRequest(.rows(deletes.bulk.roots.subtracting(RowSet([record.id]))))
        request.counts = .checked
        let deleting = try store.requireSetDeleting()
        let moment = try deleting.moment()
        let plan = try deleting.plan(request)
        guard !plan.deleted.contains(record.id) else { throw GraphError.deletedRecoverably(record.id) }
        noteUndo(.bulkDelete(before: deletes.bulk, saveCount: bulkSaveCount))
        replacePlanned(by: deletes.bulk.replaced(by: plan, since: moment))
    }

    /// Turns bulk deletes into deletes of objects: for what can only be said of objects, as that one of them is to
    /// stay after all.
    private func expandPlanned() throws {
        guard !deletes.bulk.isEmpty else { return }
        let before = deletes.bulk
        noteUndo(.bulkDelete(before: before, saveCount: bulkSaveCount))
        replacePlanned(by: BulkDeletes())
        do {
            for roots in before.batches {
                let records = roots.ids.compactMap { record(for: $0) }
                try fire(records)
                try delete(records, .query)
            }
        } catch {
            replacePlanned(by: before)
            throw error
        }
    }
}
