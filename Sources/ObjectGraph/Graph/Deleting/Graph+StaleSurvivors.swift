/// Survivors of a deletion that another context linked to a deleted object after this graph read them.
extension Graph {
    /// Whether this graph does not know the survivor's reference to the deleted object, because another context linked
    /// the two since the survivor was read. False for a survivor whose reference was edited here.
    func isStaleSurvivor(_ survivor: Record, _ inverse: EntityRelationship, of deleted: ObjectID) -> Bool {
        guard let slot = inverse.slot, !survivor.isInserted, !survivor.isDeleted, !survivor.isGone, !survivor.isFault,
            slot < survivor.values.count, survivor.values[slot] != .reference(deleted)
        else { return false }
        guard let committed = survivor.committed, slot < committed.count else { return true }
        return committed[slot] == survivor.values[slot]
    }

    /// Reads the stored links of such survivors, so that the deletion can nullify them. Otherwise their rows would
    /// refer to deleted ones. For survivors with edits only the link is updated, so that their save still detects other
    /// changes as conflicts.
    /// - Throws: Errors of reading the store.
    func readStaleSurvivors(of links: [SurvivorLink]) throws {
        let stale = links.filter { isStaleSurvivor($0.survivor, $0.inverse, of: $0.deleted.id) }
        guard !stale.isEmpty, let store else { return }
        let snapshots = try store.snapshots(of: Set(stale.map(\.survivor.id)).sorted())
        let stored = Dictionary(snapshots.map { ($0.id, $0) }) { first, _ in first }
        for link in stale {
            guard let snapshot = stored[link.survivor.id] else { continue }
            if link.survivor.hasChanges {
                adoptStoredLink(link, from: snapshot)
            } else {
                refresh(link.survivor, with: snapshot)
            }
        }
    }

    /// Returns links of deleted records that an unsaved edit replaced, but that the row at the other end still has,
    /// because another context linked the two since. Deleting the record discards the edit, so these links are followed
    /// in addition to the edited ones.
    /// - Throws: Errors of reading the store.
    func storedLinksReplacedHere(of relationship: EntityRelationship, from records: [Record]) throws -> [SurvivorLink] {
        guard let slot = relationship.slot, model?.inverse(of: relationship)?.isToOne == true else { return [] }
        let links = records.compactMap { record -> SurvivorLink? in
            guard hasReplacedDestination(record, slot),
                case .reference(let id)? = record.committed?[slot],
                let destination = self.record(for: id), let inverse = inverse(of: relationship, on: destination)
            else { return nil }
            return SurvivorLink(survivor: destination, inverse: inverse, deleted: record)
        }
        if links.isEmpty { return [] }
        try fire(links.map(\.survivor))
        try readStaleSurvivors(of: links.filter { !$0.survivor.isGone })
        return links.filter { link in
            guard !link.survivor.isGone, let slot = link.inverse.slot else { return false }
            return link.survivor.value(slot) == .reference(link.deleted.id)
        }
    }

    /// Whether an unsaved edit replaced the stored destination.
    private func hasReplacedDestination(_ record: Record, _ slot: Int) -> Bool {
        guard let committed = record.committed, slot < committed.count, slot < record.values.count else { return false }
        return committed[slot] != record.values[slot] && !committed[slot].isNull
    }

    private func adoptStoredLink(_ link: SurvivorLink, from stored: Snapshot) {
        let value = Value.reference(link.deleted.id)
        guard let slot = link.inverse.slot, slot < stored.values.count, stored.values[slot] == value else { return }
        link.survivor.committed?[slot] = value
        link.survivor.values[slot] = value
    }
}
