/// Derived values: the store computes them when it writes, and they may change without a new row version.
extension Graph {
    /// Updates the derived values from a row just read, and nothing else.
    /// - Returns: Whether a value changed.
    @discardableResult
    func adoptDerivedValues(_ record: Record, from stored: Snapshot) -> Bool {
        let slots = record.entity.derivedSlots
        if slots.isEmpty { return false }
        let changed = slots.filter { slot in
            slot < stored.values.count && slot < record.values.count && record.values[slot] != stored.values[slot]
        }
        if changed.isEmpty { return false }
        record.observer?.willChange(record, relationship: nil)
        for slot in changed {
            record.values[slot] = stored.values[slot]
            record.committed?[slot] = stored.values[slot]
            log.followed?.note(record, PropertyMask(slot: slot))
        }
        record.observer?.didChange(record, relationship: nil)
        return true
    }

    /// Reads derived values that the store has just computed for saved objects. If this fails, the save still succeeds,
    /// and a refresh shows the values.
    func readDerived(of work: SaveRecords) {
        guard let store, model?.derivesValues == true else { return }
        let records = [work.inserted, work.updated, work.withoutChanges].joined().filter {
            !$0.entity.derivedSlots.isEmpty
        }
        guard !records.isEmpty, let rows = try? store.snapshots(of: records.map(\.id)) else { return }
        for row in rows {
            guard let record = identityMap[row.id], record.version == row.version else { continue }
            adoptDerivedValues(record, from: row)
        }
    }
}
