/// Survivors of a delete that this graph knows as they were before somebody else linked them with what goes.
extension Graph {
    /// Whether the object is not known to lead to another one that is known to have it: others linked the two since it was
    /// read. One that an edit leads elsewhere is known well enough.
    func isUnaware(_ survivor: Record, _ inverse: EntityRelationship, of doomed: ObjectID) -> Bool {
        guard let slot = inverse.slot, !survivor.isInserted, !survivor.isDeleted, !survivor.isGone, !survivor.isFault,
            slot < survivor.values.count, survivor.values[slot] != .reference(doomed)
        else { return false }
        guard let committed = survivor.committed, slot < committed.count else { return true }
        return committed[slot] == survivor.values[slot]
    }

    /// Takes in the links that such survivors have by now. Without, there would be nothing to cut, and their rows would lead to
    /// one that is gone. Those with edits learn of the link alone, so that their save still finds what else others changed.
    /// - Throws: What reading the store throws.
    func readStaleSurvivors(of links: [CutLink]) throws {
        let stale = links.filter { isUnaware($0.survivor, $0.inverse, of: $0.doomed.id) }
        guard !stale.isEmpty, let store else { return }
        let snapshots = try store.snapshots(of: Set(stale.map(\.survivor.id)).sorted())
        let stored = Dictionary(snapshots.map { ($0.id, $0) }) { first, _ in first }
        for link in stale {
            guard let snapshot = stored[link.survivor.id] else { continue }
            if link.survivor.hasChanges {
                takeLink(link, from: snapshot)
            } else {
                refresh(link.survivor, with: snapshot)
            }
        }
    }

    /// Links of deleted records that an unsaved edit replaced, while the row at the other end still leads here, because another
    /// context linked the two since. Deleting the record voids the edit, so these links are followed beside the edited ones.
    /// - Throws: What reading the store throws.
    func lingeringLinks(of relationship: EntityRelationship, from records: [Record]) throws -> [CutLink] {
        guard let slot = relationship.slot else { return [] }
        let links = records.compactMap { record -> CutLink? in
            guard isLedElsewhere(record, relationship, slot), case .reference(let id)? = record.committed?[slot],
                let destination = self.record(for: id), let inverse = inverse(of: relationship, on: destination)
            else { return nil }
            return CutLink(survivor: destination, inverse: inverse, doomed: record)
        }
        if links.isEmpty { return [] }
        try fire(links.map(\.survivor))
        try readStaleSurvivors(of: links.filter { !$0.survivor.isGone })
        return links.filter { link in
            guard !link.survivor.isGone, let slot = link.inverse.slot else { return false }
            return link.survivor.value(slot) == .reference(link.doomed.id)
        }
    }

    /// Whether an unsaved edit leads a one-to-one relationship elsewhere than it is stored.
    func isLedElsewhere(_ record: Record, _ relationship: EntityRelationship, _ slot: Int) -> Bool {
        guard let committed = record.committed, slot < committed.count, slot < record.values.count,
            committed[slot] != record.values[slot], !committed[slot].isNull
        else { return false }
        return model?.inverse(of: relationship)?.isToOne == true
    }

    private func takeLink(_ link: CutLink, from stored: Snapshot) {
        let value = Value.reference(link.doomed.id)
        guard let slot = link.inverse.slot, slot < stored.values.count, stored.values[slot] == value else { return }
        link.survivor.committed?[slot] = value
        link.survivor.values[slot] = value
    }
}
