/// Merging saves of other contexts, containers and processes. The steps are the same for both faces; `events`
/// determines the differences.
extension Graph {
    /// A counter that increases whenever waiting changes of others are merged.
    package var mergeCount: Int { merging.count }

    /// Merges the changes that other graphs saved since the last merge, unless the face merges when it is asked to. The
    /// cost grows with the number of registered records and of changed rows; rows that are not registered cost one look-up
    /// each.
    package func mergeWaitingChanges() {
        if !merging.stale.isEmpty { endUndoneEdits() }
        if !options.mergesWhenAsked { mergeInbox() }
        resolveWhenAsked()
    }

    /// Merges the changes in the inbox: the one way in which a graph takes in what others saved.
    ///
    /// An observer of these changes, or a hook, may ask for the next ones, which are merged after these.
    package func mergeInbox() {
        guard merging.phase == .none else {
            merging.isAskedAgain = options.mergesWhenAsked
            return
        }
        repeat {
            merging.isAskedAgain = false
            guard !inbox.isEmpty else { return }
            merging.count &+= 1
            switch events {
            case .asTheyHappen: mergeTogether()
            case .collected: mergeOneByOne()
            }
        } while merging.isAskedAgain
    }

    /// Merges changes after those that wait. Within another merge, of which hooks and notifications are a part, they are
    /// merged when it ends: earlier changes must not follow later ones, here and in the children of a context.
    ///
    /// Objects of deleted rows leave, or stay deleted until the save. Values of changed rows are read at the next access
    /// or at once, with unsaved edits on top. Links to deleted rows are removed, and member lists that may have changed
    /// are read again.
    /// - Returns: The changes for contexts that read from this one: with the consequences that they have here, unless they
    ///   are merged later.
    @discardableResult
    package func merge(_ changes: SavedChanges) -> SavedChanges {
        guard merging.phase == .none else {
            inbox.post(changes)
            merging.isAskedAgain = true
            return changes
        }
        mergeInbox()
        let below = mergeAsEvent(Inbox.Entry(changes))
        if merging.isAskedAgain { mergeInbox() }
        return below
    }

    private func mergeTogether() {
        var spaces: Set<IDSpace> = []
        merging.phase = .applying
        defer { merging.phase = .none }
        for _ in 0..<inbox.count {
            guard let entry = inbox.next() else { break }
            var result = GraphChanges()
            spaces.formUnion(mergeListed(entry.changes, &result))
        }
        discardMembers(in: spaces)
    }

    /// Merges the changes that wait at the call. Others may post more meanwhile, and wake the context again.
    private func mergeOneByOne() {
        for _ in 0..<inbox.count {
            guard let entry = inbox.next() else { return }
            mergeAsEvent(entry)
        }
    }

    @discardableResult
    private func mergeAsEvent(_ entry: Inbox.Entry) -> SavedChanges {
        guard events == .collected, let face else {
            _ = mergeAlone(entry.changes)
            return entry.changes
        }
        merging.phase = .event
        defer { merging.phase = .none }
        return face.merge(entry.changes, for: entry.recipients) { mergeAlone(entry.changes) }
    }

    private func mergeAlone(_ changes: SavedChanges) -> GraphChanges {
        let outer = merging.phase
        merging.phase = .applying
        defer { merging.phase = outer }
        var result = GraphChanges()
        discardMembers(in: mergeListed(changes, &result))
        return result
    }

    /// - Returns: The stores and entities whose objects may have changed member lists.
    private func mergeListed(_ changes: SavedChanges, _ result: inout GraphChanges) -> Set<IDSpace> {
        var changes = changes
        log.followed?.note(changes, in: self)
        if events == .collected, log.followed != nil { result.noteUnread(changes, in: self) }
        if changes.isOverflow { mergeOverflow(&changes, &result) }
        mergeDeletes(changes, &result)
        let back = restoreRemotelyDeleted(changes.inserted, &result)
        switch events {
        case .asTheyHappen:
            discardOldValues(changes)
            return changes.listedSpaces.union(changes.unlinkedRows.spaces)
        case .collected:
            discardMembers(in: changes.insertedSpaces, where: \.keepsDeletedDestinations)
            let read = readAgain(changes.everyUpdatedID + changes.inserted)
            result.append(read, .refreshed)
            let known = Set(read.map(\.id)).subtracting(back.map(\.id))
            result.append(faults(of: changes.inserted, besides: known), .inserted)
            // Objects changed by these steps are in the result.
            for entry in takeEventChanges().objects where entry.record.graph == nil {
                result.append(GraphChanges.Object(entry.record, .dropped, entry.object))
            }
            return []
        }
    }

    /// Merges unspecified changes: any row may have changed. If edited objects are read again at once, lists those of
    /// missing rows as deleted, and those pending deletion whose rows others restored as inserted.
    private func mergeOverflow(_ changes: inout SavedChanges, _ result: inout GraphChanges) {
        result.append(identityMap.all.filter { $0.object != nil && !$0.isFault && !$0.hasChanges }, .refreshed)
        faultUneditedRecords()
        let edited = editedAndRead
        let missing = RowSet(deletes.records(deletedBy: .remote).lazy.map(\.id))
        guard tracksEventChanges, let store, !edited.isEmpty || !missing.isEmpty else {
            return edited.forEach(noteStale)
        }
        do {
            let rows = try store.snapshots(of: edited.map(\.id) + missing.ids)
            result.append(mergeSnapshots(rows.filter { !missing.contains($0.id) }), .refreshed)
            let found = Set(rows.map(\.id))
            changes.deleted += edited.map(\.id).filter { !found.contains($0) }
            changes.inserted += missing.ids.filter(found.contains)
        } catch {
            face?.report(error)
            edited.forEach(noteStale)
        }
    }

    private var editedAndRead: [Record] {
        identityMap.all.filter { $0.hasChanges && !$0.isInserted && !$0.isFault && !deletes.isRemote($0) }
    }

    private func mergeDeletes(_ changes: SavedChanges, _ result: inout GraphChanges) {
        switch events {
        case .asTheyHappen:
            let planned = changes.bulkDeletes
            evict(registered(in: planned.deleted))
            removeLinks(to: planned.deleted, nullifying: planned.cleared, .saved(known: [:]))
            evict(changes.deleted.compactMap { identityMap[$0] })
        case .collected:
            waitForSave(changes, &result)
        }
    }

    /// Discards values that differ from the stored ones.
    private func discardOldValues(_ changes: SavedChanges) {
        // New rows may have been read before this graph received the insertion, and updated since.
        discardValues(of: changes.inserted)
        for snapshot in changes.updated {
            guard let record = identityMap[snapshot.id], isNewer(snapshot, than: record) else { continue }
            if record.isFault {
                discardCarriedValues(of: record)
            } else if record.version == snapshot.version {
                discardValues(of: record)
            } else {
                refresh(record, with: snapshot)
            }
        }
        discardValues(of: changes.updatedIDs)
        discardValues(of: changes.unlinkedRows.ids)
    }

    /// Whether a snapshot is newer than a record. A row nullified by a bulk delete is assumed to have one more version,
    /// although another save may have preceded it. So equal versions may stand for two states; the snapshot is then the
    /// newer one.
    private func isNewer(_ snapshot: Snapshot, than record: Record) -> Bool {
        if record.version != snapshot.version { return record.version < snapshot.version }
        if record.isFault { return false }
        let stored = record.committed ?? record.values
        return stored.count == snapshot.values.count
            && record.entity.storedSlots.contains { stored[$0] != snapshot.values[$0] }
    }

    private func discardValues(of ids: some Sequence<ObjectID>) {
        for id in ids { if let record = identityMap[id] { discardValues(of: record) } }
    }

    /// Reads the rows of objects that have been read.
    /// - Returns: The records whose values changed, or that became faults if the store cannot be read.
    private func readAgain(_ ids: [ObjectID]) -> [Record] {
        ids.lazy.compactMap { self.identityMap[$0] }.filter(\.isFault).forEach(discardValues)
        let known = ids.filter { id in identityMap[id].map { !$0.isFault && !$0.isGone } ?? false }
        guard !known.isEmpty, let store else { return [] }
        do {
            return mergeSnapshots(try store.snapshots(of: known))
        } catch {
            face?.report(error)
            discardValues(of: known)
            return known.compactMap { identityMap[$0] }.filter(\.isFault)
        }
    }

    private func faults(of ids: [ObjectID], besides known: Set<ObjectID>) -> [Record] {
        ids.filter { !known.contains($0) }.compactMap { record(for: $0) }.filter { !$0.isGone && !$0.isDeleted }
    }

    /// Discards the values of a row known to have changed, to read it at the next access. With unsaved changes, this
    /// happens when they are saved or discarded.
    func discardValues(of record: Record) {
        if record.isFault {
            // Lists read while the row was missing are empty.
            record.discardStoredMembers()
            return discardCarriedValues(of: record)
        }
        noteMember(record)
        if record.hasChanges { noteStale(record) } else { makeFault(record) }
    }

    func noteStale(_ record: Record) {
        if record.isInserted || record.status.contains(.stale) { return }
        record.status.insert(.stale)
        merging.stale.append(record)
    }

    /// Ends the unsaved state of stale objects whose edits were all undone, so that their old values can be discarded.
    /// Call this before a save, too: it would write nothing for them, and would treat their former links as saved.
    func endUndoneEdits() {
        merging.stale.removeAll { $0.graph !== self || !$0.status.contains(.stale) }
        for record in merging.stale where record.isUpdated && !record.isDeleted && isAsStored(record) {
            // Unsaved changes at the other end of a one-to-one link may rely on this end.
            if knownPartners(of: record).contains(where: \.hasChanges) { continue }
            discardMemberEdits(of: record)
            restore(record)
            unsaved.removeUpdated(record)
        }
    }

    private func knownPartners(of record: Record) -> [Record] {
        record.entity.toOneRelationships.compactMap { relationship in
            guard model?.inverse(of: relationship)?.isToOne == true else { return nil }
            return relationship.slot.flatMap { record.reference(at: $0) }.flatMap { identityMap[$0] }
        }
    }

    /// Discards edits of member lists that belong to undone edits of the member's reference.
    private func discardMemberEdits(of member: Record) {
        for relationship in member.entity.toOneRelationships {
            for owner in unsaved.inserted + unsaved.updated {
                guard let model, model.isKind(owner.entity.index, of: relationship.destinationIndex),
                    let index = inverse(of: relationship, on: owner)?.toManyIndex, owner.members(index).isEdited
                else { continue }
                owner.withMembers(index) { $0.discardEdit(of: member.id) }
                owner.toMany[index].discardStored()
            }
        }
    }

    private func isAsStored(_ record: Record) -> Bool {
        guard record.refusedProperties.isEmpty, !record.toMany.contains(where: \.isEdited) else { return false }
        return record.committed.map { $0 == record.values } ?? true
    }

    /// Discards values older than the merged changes, after the record's unsaved changes have ended.
    func discardStaleValues(of record: Record) {
        guard record.status.contains(.stale), !record.hasChanges, !record.isGone else { return }
        makeFault(record)
    }

    /// Removes the objects of rows that others deleted: all at once, unless one has observers or unsaved links.
    private func evict(_ records: [Record]) {
        guard records.contains(where: { $0.hasChanges || $0.observer != nil }) else {
            return leave(records, as: .rowDeleted)
        }
        for record in records {
            record.observer?.willChange(record, relationship: nil)
            deletes.undelete(record)
            leave(record, as: .rowDeleted)
            record.observer?.didChange(record, relationship: nil)
        }
    }

    /// Turns all objects without edits into faults, because there were too many changes to list.
    func faultUneditedRecords() {
        // Deleted objects keep their links, which undoing the deletion restores and which cannot be read again.
        for record in Array(identityMap.all) where !record.isInserted && !record.isDeleted {
            record.observer?.willChange(record, relationship: nil)
            record.discardStoredMembers()
            if !record.hasChanges {
                record.values = []
                record.carried = nil
                record.status.insert(.fault)
                record.status.remove(.stale)
            }
            record.observer?.didChange(record, relationship: nil)
        }
    }

    /// Discards the member lists of relationships whose destinations are among the entities, to read them at the next
    /// access.
    func discardMembers(
        in spaces: Set<IDSpace>, where isDiscarded: (EntityRelationship) -> Bool = { _ in true }
    ) {
        guard let model, !spaces.isEmpty else { return }
        let changed = Set(spaces.compactMap { model.entity(named: $0.entityName)?.rootIndex })
        for record in identityMap.all where !record.toMany.isEmpty {
            for relationship in record.entity.relationships {
                guard let index = relationship.toManyIndex, record.members(index).isRead,
                    changed.contains(model.destination(of: relationship).rootIndex), isDiscarded(relationship)
                else { continue }
                record.observer?.willChange(record, relationship: relationship)
                record.toMany[index].discardStored()
                record.observer?.didChange(record, relationship: relationship)
            }
        }
    }
}
