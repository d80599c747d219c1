/// Who wins when a row is not as unsaved work expected it.
package enum ConflictRule: Sendable, Hashable {
    /// Edited properties stay, the others take the stored values.
    case memoryWinsByProperty
    /// Properties changed at both ends take the stored values; what was edited here only stays.
    case storeWinsByProperty
    /// Every property of the object goes into the row.
    case memoryOverwrites
    /// The edits are given up, a deletion too.
    case storeOverwrites
}

/// Decides what is done about rows that are not as expected.
package protocol ConflictJudge: AnyObject {
    /// To call `Graph.resolve` for every one of them. Rows of which only the version moved, and deletions of rows that are
    /// gone, are not among them: these settle themselves.
    /// - Throws: anything, to give the save up. Nothing is written then, and the work stays unsaved.
    func judge(_ conflicts: [Conflict]) throws
}

extension Graph {
    func settle(_ conflicts: [Conflict]) throws {
        try settleEdited(conflicts.filter { !$0.leadsToDeleted })
        // Rows that others linked with deleted ones: the delete rules are followed again, over what they hold now.
        for conflict in conflicts where conflict.leadsToDeleted { _ = conflict.stored.flatMap(register) }
    }

    private func settleEdited(_ conflicts: [Conflict]) throws {
        guard let conflictJudge = saveOptions.conflictJudge else {
            for conflict in conflicts { resolve(conflict, by: .memoryWinsByProperty) }
            return
        }
        var open: [Conflict] = []
        for conflict in conflicts {
            if isConflict(conflict) { open.append(conflict) } else { resolve(conflict, by: .memoryWinsByProperty) }
        }
        if !open.isEmpty { try conflictJudge.judge(open) }
    }

    /// Whether the row holds anything that this graph does not know.
    private func isConflict(_ conflict: Conflict) -> Bool {
        guard let record = identityMap[conflict.id] else { return false }
        guard let stored = conflict.stored else { return !record.isDeleted }
        let base = record.committed ?? record.values
        return record.entity.storedSlots.contains { slot in
            slot < base.count && slot < stored.values.count && base[slot] != stored.values[slot]
        }
    }

    /// Settles one conflict. A row that is gone stays gone, whoever wins.
    package func resolve(_ conflict: Conflict, by rule: ConflictRule) {
        guard let record = identityMap[conflict.id] else {
            // Known as gone already, but still among the unsaved work.
            for record in unsaved.touched where record.id == conflict.id { record.status = .gone }
            return
        }
        guard let stored = conflict.stored else {
            record.observer?.willChange(record, relationship: nil)
            markGone(record)
            record.observer?.didChange(record, relationship: nil)
            return
        }
        switch rule {
        case .memoryWinsByProperty: rebase(record, onto: stored)
        case .storeWinsByProperty:
            giveUpContested(of: record, stored)
            rebase(record, onto: stored)
        case .memoryOverwrites:
            record.committed = stored.values
            record.version = stored.version
            if record.isDeleted { deletes.needsPropagation = true } else { leadBack(to: record, insteadOf: stored) }
        case .storeOverwrites:
            restoreAlone(record)
            refresh(record, with: stored)
        }
    }

    /// An object that is written as a whole may lead one to one where it led before others changed that: who is there has let go
    /// of it in the store, and is to lead back again. A link to what is gone by now is not written.
    private func leadBack(to record: Record, insteadOf stored: Snapshot) {
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < record.values.count, slot < stored.values.count,
                record.values[slot] != stored.values[slot]
            else { continue }
            if isGone(record.values[slot]) {
                record.values[slot] = .null
                continue
            }
            guard let destination = destination(of: record, relationship), !destination.isDeleted, !destination.isGone,
                let back = inverse(of: relationship, on: destination)?.slot, back < destination.values.count
            else { continue }
            destination.beginEdit()
            destination.values[back] = .reference(record.id)
            if destination.committed?[back] == .reference(record.id) { destination.committed?[back] = .null }
        }
    }

    /// Whether a link leads to a row that others deleted. Where that cannot be read, the save cannot be written either.
    private func isGone(_ link: Value) -> Bool {
        guard case .reference(let id) = link, !id.isTemporary, !unsaved.reservedIDs.contains(id), let store else {
            return false
        }
        do {
            return try store.snapshots(of: [id]).isEmpty
        } catch {
            face?.report(error)
            return false
        }
    }

    /// Edited properties of which the row has another value than before the edit go back to what they were, so that the
    /// row's value takes their place.
    private func giveUpContested(of record: Record, _ stored: Snapshot) {
        guard let base = record.committed else { return }
        let entity = record.entity
        let contested = Set(
            entity.storedSlots.filter { $0 < base.count && $0 < stored.values.count && base[$0] != stored.values[$0] })
        for slots in entity.propertySlots where slots.contains(where: contested.contains) {
            if case .toOne(let index) = entity.slots[slots.lowerBound] {
                withoutUndo { takeBack(entity.relationships[index], of: record) }
            } else {
                for slot in slots where slot < base.count { record.values[slot] = base[slot] }
            }
        }
    }
}
