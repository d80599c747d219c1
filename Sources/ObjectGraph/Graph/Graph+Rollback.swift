extension Graph {
    /// Discards all unsaved changes: inserted objects leave the graph, edited and deleted ones have their last saved
    /// state.
    package func rollback() {
        let former = unsaved
        let followers = former.deletes.records(deletedBy: .remoteRule).filter { !former.deletes.isRemote($0) }
        unsaved = UnsavedChanges()
        // Restored last, so that deleted objects keep the values that were read.
        deletes.bulk = former.deletes.bulk
        editedLists.removeAll()
        for record in former.listed where record.hasChanges {
            if former.deletes.isRemote(record) {
                // Another context deleted the row, so there is no state to restore.
                leave(record, as: .rowMissing)
            } else {
                record.isInserted ? leave(record, as: .rolledBack) : restore(record)
            }
        }
        replaceBulkDeletes(by: BulkDeletes())
        restoreLinks(to: followers)
    }

    func restore(_ record: Record) {
        changeAsWhole(record) {
            for index in record.toMany.indices { record.toMany[index].discardEdits() }
            putBack(record)
        }
        discardStaleValues(of: record)
    }

    private func changeAsWhole(_ record: Record, _ body: () -> Void) {
        record.observer?.willChange(record, relationship: nil)
        body()
        record.observer?.didChange(record, relationship: nil)
    }

    private func putBack(_ record: Record) {
        log.followed?.note(record, .all)
        if let committed = record.committed { record.values = committed }
        record.committed = nil
        record.discardRefused()
        deletes.undelete(record)
        if !record.toMany.contains(where: \.isEdited) { record.status.remove(.updated) }
        numberEdit(of: record)
    }

    // MARK: One object alone

    /// Discards the edits of one object and keeps those of others. Its links are restored at both ends. Members with a
    /// to-one reference keep their own edits of it, so the object may stay updated.
    func restoreAlone(_ record: Record) {
        let wasDeleted = record.isDeleted
        unsaved.resolveAllRefused(of: CollectionOfOne(record))
        withoutUndo {
            for relationship in record.entity.relationships { revertRelationship(relationship, of: record) }
        }
        changeAsWhole(record) { putBack(record) }
        discardStaleValues(of: record)
        if !record.isUpdated { unsaved.removeUpdated(record) }
        guard wasDeleted else { return }
        let followers = followers(of: record)
        for follower in followers {
            if tracksEventChanges { noteEventChange(follower) }
            changeAsWhole(follower) { endDeletion(of: follower) }
        }
        withoutUndo { ([record] + followers).forEach(restoreInverseLinks) }
        // The rules are followed again, because other deleted objects may still reach these.
        if !followers.isEmpty { deletes.needsPropagation = true }
    }

    /// Returns objects deleted only by rules that cascades reach from an undeleted object.
    private func followers(of record: Record) -> [Record] {
        guard let model else { return [] }
        do {
            let reading = GraphReading(self, model, among: isDeletedByRuleOnly)
            return try DeletePlanner.levels(below: RowSet([record.id]), reading).dropFirst()
                .flatMap { $0.ids.compactMap { identityMap[$0] } }
        } catch {
            face?.report(error)
            return []
        }
    }

    private func isDeletedByRuleOnly(_ record: Record) -> Bool {
        deletes.causes(of: record) == .rule
    }

    /// Ends causes for the pending deletion of an object. Its edits stay.
    /// - Returns: Whether it is not deleted any more.
    @discardableResult
    func endDeletion(of record: Record, from causes: DeleteCauses = .all) -> Bool {
        guard deletes.undelete(record, from: causes) else { return false }
        log.followed?.note(record, .all)
        discardStaleValues(of: record)
        return true
    }

    /// Restores the destinations of a relationship before its edits.
    func revertRelationship(_ relationship: EntityRelationship, of record: Record) {
        if let slot = relationship.slot {
            revertDestination(of: record, relationship, slot)
        } else if let index = relationship.toManyIndex, record.members(index).isEdited {
            revertMembers(of: record, relationship, index)
        }
    }

    private func revertDestination(of record: Record, _ relationship: EntityRelationship, _ slot: Int) {
        guard let committed = record.committed, slot < committed.count, record.values[slot] != committed[slot] else {
            return
        }
        guard case .reference(let id) = committed[slot], let former = self.record(for: id) else {
            return setDestination(of: record, relationship, to: nil)
        }
        fire(former)
        // It lost the link by its own deletion, whose rules must be followed again.
        if former.isDeleted {
            deletes.needsPropagation = true
            // Members that it read later lack the object, which refers to it again.
            if let index = inverse(of: relationship, on: former)?.toManyIndex {
                former.withMembers(index) { $0.discardEdit(of: record.id) }
            }
        }
        setDestination(of: record, relationship, to: former.isDeleted || former.isGone ? nil : former)
    }

    private func revertMembers(of record: Record, _ relationship: EntityRelationship, _ index: Int) {
        record.withMembers(index) { $0.discardOrder() }
        if let model, model.inverse(of: relationship)?.isToOne == true { return }
        let edits = record.members(index)
        for id in edits.added.all { disconnect(record, relationship, fromID: id) }
        for member in edits.removed.all.compactMap({ self.record(for: $0) }) where !member.isGone {
            if member.isDeleted { deletes.needsPropagation = true } else { connect(record, relationship, member) }
        }
        record.withMembers(index) { $0.discardEdits() }
    }
}
