/// Which values win if a row has another version than unsaved changes expected.
package enum ConflictRule: Sendable, Hashable {
    /// Edited properties keep their values; the others get the stored values.
    case memoryWinsByProperty
    /// Properties changed in both places get the stored values; properties edited only here keep their values.
    case storeWinsByProperty
    /// Every property of the object is written to the row.
    case memoryOverwrites
    /// The edits are discarded, a deletion too.
    case storeOverwrites
}

/// Decides how conflicts are resolved.
package protocol ConflictJudge: AnyObject {
    /// Calls `Graph.resolve` for every conflict. Conflicts in which only the version differs, and deletions of rows
    /// that do not exist, are not passed, as they need no decision.
    /// - Throws: Any error, to cancel the save. Then nothing is written, and the changes stay unsaved.
    func judge(_ conflicts: [Conflict]) throws
}

extension Graph {
    func resolve(_ conflicts: [Conflict]) throws {
        try resolveEdited(conflicts.filter { !$0.refersToDeleted })
        // Rows that others linked to deleted ones: the delete rules are followed again, over their present links.
        for conflict in conflicts where conflict.refersToDeleted { _ = conflict.stored.flatMap(register) }
    }

    private func resolveEdited(_ conflicts: [Conflict]) throws {
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

    /// Whether the row has any value that this graph does not know.
    private func isConflict(_ conflict: Conflict) -> Bool {
        guard let record = identityMap[conflict.id] else { return false }
        guard let stored = conflict.stored else { return !record.isDeleted }
        let base = record.committed ?? record.values
        return record.entity.storedSlots.contains { slot in
            slot < base.count && slot < stored.values.count && base[slot] != stored.values[slot]
        }
    }

    /// Resolves one conflict. A row that does not exist stays deleted under every rule.
    package func resolve(_ conflict: Conflict, by rule: ConflictRule) {
        guard let record = identityMap[conflict.id] else {
            // Marked as gone already, but still in the lists of unsaved changes.
            for record in unsaved.listed where record.id == conflict.id {
                deletes.undelete(record)
                record.status = .gone
            }
            return
        }
        guard let stored = conflict.stored else {
            record.observer?.willChange(record, relationship: nil)
            leave(record, as: .rowMissing)
            record.observer?.didChange(record, relationship: nil)
            return
        }
        switch rule {
        case .memoryWinsByProperty: rebase(record, onto: stored)
        case .storeWinsByProperty:
            revertConflictingEdits(of: record, stored)
            rebase(record, onto: stored)
        case .memoryOverwrites:
            record.committed = stored.values
            record.version = stored.version
            if record.isDeleted {
                deletes.needsPropagation = true
            } else {
                restoreInverses(to: record, insteadOf: stored)
            }
        case .storeOverwrites:
            restoreAlone(record)
            refresh(record, with: stored)
        }
    }

    /// Restores the inverses of one-to-one links of an object that is written as a whole, if others changed these
    /// links: its former destination lost its end in the store. A link to a row that does not exist is not written.
    private func restoreInverses(to record: Record, insteadOf stored: Snapshot) {
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

    /// Whether a link refers to a row that others deleted. If the row cannot be read, the save will fail anyway.
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

    /// Reverts edits of properties whose stored values have changed since, so that the row's values replace them.
    private func revertConflictingEdits(of record: Record, _ stored: Snapshot) {
        guard let base = record.committed else { return }
        let entity = record.entity
        let contested = Set(
            entity.storedSlots.filter { $0 < base.count && $0 < stored.values.count && base[$0] != stored.values[$0] })
        for slots in entity.propertySlots where slots.contains(where: contested.contains) {
            if case .toOne(let index) = entity.slots[slots.lowerBound] {
                withoutUndo { revertRelationship(entity.relationships[index], of: record) }
            } else {
                for slot in slots where slot < base.count { record.values[slot] = base[slot] }
            }
        }
    }
}
