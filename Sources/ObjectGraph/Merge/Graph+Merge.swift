extension Graph {
    /// Takes in what other graphs saved since the last time. Cost grows with what is registered here and with
    /// what is named there; rows that are not registered cost a look-up each.
    package func mergeWaitingChanges() {
        takeWaitingChanges()
        resolveWhenAsked()
    }

    private func takeWaitingChanges() {
        if !staleRecords.isEmpty { endUndoneEdits() }
        // An observer of these changes may ask for the next ones, which come after them.
        guard !inbox.isEmpty, !isMerging else { return }
        isMerging = true
        defer { isMerging = false }
        var spaces: Set<IDSpace> = []
        for changes in inbox.takeAll() { spaces.formUnion(take(changes)) }
        forgetMembers(in: spaces)
    }

    /// Brings another graph's saved changes into this one: deleted rows leave, updated ones are refreshed under kept
    /// edits, member lists that may have changed are forgotten.
    package func merge(_ changes: SavedChanges) {
        forgetMembers(in: take(changes))
    }

    /// - Returns: the entities whose objects came, went or changed.
    private func take(_ changes: SavedChanges) -> Set<IDSpace> {
        if changes.isOverflow {
            forgetEverythingRead()
            noteEditedAsStale()
        }
        for record in registered(in: changes.planned.deleted) { leave(record) }
        cutLoose(from: changes.planned.deleted, changes.planned.cleared, versions: .raised(known: [:]))
        var destinations: Set<IDSpace> = []
        for id in changes.inserted {
            destinations.insert(id.space)
            // Read before it was told of, and perhaps updated since.
            if let record = identityMap[id] { forgetValues(of: record) }
        }
        for snapshot in changes.updated {
            destinations.insert(snapshot.id.space)
            guard let record = identityMap[snapshot.id], record.version < snapshot.version else { continue }
            if record.isFault { forgetCarried(of: record) } else { refresh(record, with: snapshot) }
        }
        for id in changes.updatedIDs {
            destinations.insert(id.space)
            if let record = identityMap[id] { forgetValues(of: record) }
        }
        for id in changes.deleted {
            destinations.insert(id.space)
            if let record = identityMap[id] { leave(record) }
        }
        return destinations
    }

    /// The row is known to be another one now, and is read again when next used. Under unsaved work, that is once the work is
    /// saved or given up.
    package func forgetValues(of record: Record) {
        if record.isFault { return forgetCarried(of: record) }
        if record.hasChanges { noteStale(record) } else { makeFault(record) }
    }

    func noteStale(_ record: Record) {
        if record.isInserted || record.status.contains(.stale) { return }
        record.status.insert(.stale)
        staleRecords.append(record)
    }

    /// An object whose edits were all undone has no unsaved work that would keep older values.
    private func endUndoneEdits() {
        staleRecords.removeAll { $0.graph !== self || !$0.status.contains(.stale) }
        for record in staleRecords where record.isUpdated && !record.isDeleted && isAsStored(record) {
            // Unsaved work at the other end of a link may count on this end.
            if knownDestinations(of: record).contains(where: \.hasChanges) { continue }
            restore(record)
            unsaved.forgetUpdated(record)
        }
    }

    private func knownDestinations(of record: Record) -> [Record] {
        record.entity.toOneRelationships.compactMap { relationship in
            relationship.slot.flatMap { record.reference(at: $0) }.flatMap { identityMap[$0] }
        }
    }

    private func isAsStored(_ record: Record) -> Bool {
        guard record.refusedProperties.isEmpty, !record.toMany.contains(where: \.isEdited) else { return false }
        return record.committed.map { $0 == record.values } ?? true
    }

    /// The record's unsaved work has ended: nothing older stays than what this graph was notified of.
    func forgetStaleValues(of record: Record) {
        guard record.status.contains(.stale), !record.hasChanges, !record.isGone else { return }
        makeFault(record)
    }

    private func noteEditedAsStale() {
        for record in identityMap.all
        where record.hasChanges && !record.isFault && !deletes.remote.contains(record.id) { noteStale(record) }
    }

    /// The same for rows that were to be read again, and cannot be now.
    /// - Returns: those that are faults now.
    package func forgetValues(of ids: [ObjectID]) -> [Record] {
        let records = ids.compactMap { identityMap[$0] }
        records.forEach(forgetValues)
        return records.filter(\.isFault)
    }

    /// The row was deleted by somebody else.
    private func leave(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        record.status.remove(.deleted)
        markGone(record)
        record.observer?.didChange(record, relationship: nil)
    }

    /// Too much happened to be told one by one: everything unedited is read again when next used.
    func forgetEverythingRead() {
        // Deleted objects keep what they led to: it is what taking one back restores, and cannot be read again.
        for record in Array(identityMap.all) where !record.isInserted && !record.isDeleted {
            record.observer?.willChange(record, relationship: nil)
            for index in record.toMany.indices { record.toMany[index].forgetStored() }
            if !record.hasChanges {
                record.values = []
                record.carried = nil
                record.status.insert(.fault)
                record.status.remove(.stale)
            }
            record.observer?.didChange(record, relationship: nil)
        }
    }

    func forgetMembers(in spaces: Set<IDSpace>) {
        guard let model, !spaces.isEmpty else { return }
        let changed = Set(spaces.compactMap { model.entity(named: $0.entityName)?.rootIndex })
        for record in identityMap.all where !record.toMany.isEmpty {
            for relationship in record.entity.relationships {
                guard let index = relationship.toManyIndex, record.members(index).isRead,
                    changed.contains(model.destination(of: relationship).rootIndex)
                else { continue }
                record.observer?.willChange(record, relationship: relationship)
                record.toMany[index].forgetStored()
                record.observer?.didChange(record, relationship: relationship)
            }
        }
    }
}
