/// Derived values: the store computes them when it writes, and a row's may change though its version stays.
extension Graph {
    /// Takes in the derived values of a row just read, and nothing else.
    /// - Returns: whether one was another.
    @discardableResult
    func takeDerived(_ record: Record, from stored: Snapshot) -> Bool {
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
        }
        record.observer?.didChange(record, relationship: nil)
        return true
    }

    /// Reads what the store has just computed for saved objects. Should that fail, they show it once they are refreshed: the
    /// save is done.
    func readDerived(of work: SaveWork) {
        guard let store, model?.derivesValues == true else { return }
        let records = [work.inserted, work.updated, work.untouched].joined().filter { !$0.entity.derivedSlots.isEmpty }
        guard !records.isEmpty, let rows = try? store.snapshots(of: records.map(\.id)) else { return }
        for row in rows {
            guard let record = identityMap[row.id], record.version == row.version else { continue }
            takeDerived(record, from: row)
        }
    }
}
