extension Graph {
    /// Takes back all unsaved work: inserted objects leave the graph, edited and deleted ones are as last saved.
    package func rollback() {
        let touched = pending.touched
        let gone = deletedElsewhere
        pending.removeAll()
        keptLists.removeAll()
        readAhead = DeleteReadAhead()
        announced = []
        postponedDeletes = []
        unspread = []
        deletedElsewhere = []
        takenElsewhere = []
        reservedIDs = []
        deletesWantSpreading = false
        unreadable = []
        refused.removeAll()
        for record in touched where record.hasChanges {
            if gone.contains(record.id) {
                // Others deleted the row: there is nothing to go back to.
                markGone(record)
            } else {
                record.isInserted ? forget(record) : restore(record)
            }
        }
        // Last: deleted objects keep what was read of them, and nothing is deleted any more.
        replacePlanned(by: PlannedDeletes())
    }

    /// An object that was inserted leaves.
    func forget(_ record: Record) {
        record.status = []
        record.toMany = []
        for relationship in record.entity.relationships {
            if let slot = relationship.slot, slot < record.values.count { record.values[slot] = .null }
        }
        identityMap.remove(record.id)
        record.graph = nil
        record.object = nil
    }

    func restore(_ record: Record) {
        changeAsWhole(record) {
            for index in record.toMany.indices { record.toMany[index].discardEdits() }
            putBack(record)
        }
        forgetStaleValues(of: record)
    }

    private func changeAsWhole(_ record: Record, _ body: () -> Void) {
        record.observer?.willChange(record, relationship: nil)
        body()
        record.observer?.didChange(record, relationship: nil)
    }

    private func putBack(_ record: Record) {
        if let committed = record.committed { record.values = committed }
        record.committed = nil
        record.forgetRefused()
        record.status.remove(.deleted)
        if !record.toMany.contains(where: \.isEdited) { record.status.remove(.updated) }
        numberEdit(of: record)
    }

    // MARK: One object alone

    /// Takes back the edits of one object while others keep theirs: links go back at both ends. Members come and go by keys
    /// of their own where they have one; such edits stay, and the object counts as updated for them.
    func restoreAlone(_ record: Record) {
        let wasDeleted = record.isDeleted
        refused.resolveAll(of: record)
        withoutUndo {
            for relationship in record.entity.relationships { takeBack(relationship, of: record) }
        }
        changeAsWhole(record) { putBack(record) }
        forgetStaleValues(of: record)
        if !record.isUpdated { pending.forgetUpdated(record) }
        guard wasDeleted else { return }
        pending.forgetDeleted(record)
        let followers = followers(of: record)
        followers.forEach(comeBack)
        withoutUndo { ([record] + followers).forEach(relink) }
        // Those to which the rules still lead from elsewhere go again.
        if !followers.isEmpty { deletesWantSpreading = true }
    }

    /// Objects that wait for deletion only because rules led there from one that does not go after all.
    private func followers(of record: Record) -> [Record] {
        var found: [Record] = []
        var seen: Set<ObjectID> = [record.id]
        var level = [record]
        while let next = level.popLast() {
            for relationship in next.entity.relationships
            where DeleteRules.effect(of: relationship) == .deleteDestinations {
                for destination in destinations(of: next, relationship)
                where goesByRuleAlone(destination) && seen.insert(destination.id).inserted {
                    found.append(destination)
                    level.append(destination)
                }
            }
        }
        return found
    }

    private func goesByRuleAlone(_ record: Record) -> Bool {
        record.isDeleted && record.status.contains(.deletedByRule) && !deletedElsewhere.contains(record.id)
            && !planned.deleted.contains(record.id)
    }

    /// The deletion is off; edits stay.
    private func comeBack(_ record: Record) {
        if tracksTouched { touch(record) }
        changeAsWhole(record) { record.status.remove(.deleted) }
        pending.forgetDeleted(record)
        forgetStaleValues(of: record)
    }

    /// Leads a relationship where it led before it was edited.
    func takeBack(_ relationship: EntityRelationship, of record: Record) {
        if let slot = relationship.slot {
            takeBackDestination(of: record, relationship, slot)
        } else if let index = relationship.toManyIndex, record.members(index).isEdited {
            takeBackMembers(of: record, relationship, index)
        }
    }

    private func takeBackDestination(of record: Record, _ relationship: EntityRelationship, _ slot: Int) {
        guard let committed = record.committed, slot < committed.count, record.values[slot] != committed[slot] else {
            return
        }
        guard case .reference(let id) = committed[slot], let former = self.record(for: id) else {
            return setDestination(of: record, relationship, to: nil)
        }
        fire(former)
        // It lost the link by its own deletion, whose rules are followed again.
        if former.isDeleted { deletesWantSpreading = true }
        setDestination(of: record, relationship, to: former.isDeleted || former.isGone ? nil : former)
    }

    private func takeBackMembers(of record: Record, _ relationship: EntityRelationship, _ index: Int) {
        record.withMembers(index) { $0.forgetOrder() }
        if let model, model.inverse(of: relationship)?.isToOne == true { return }
        let edits = record.members(index)
        for id in edits.added.all { disconnect(record, relationship, fromID: id) }
        for member in edits.removed.all.compactMap({ self.record(for: $0) }) where !member.isGone {
            if member.isDeleted { deletesWantSpreading = true } else { connect(record, relationship, member) }
        }
        record.withMembers(index) { $0.discardEdits() }
    }
}
