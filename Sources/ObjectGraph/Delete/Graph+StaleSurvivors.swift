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

    private func takeLink(_ link: CutLink, from stored: Snapshot) {
        let value = Value.reference(link.doomed.id)
        guard let slot = link.inverse.slot, slot < stored.values.count, stored.values[slot] == value else { return }
        link.survivor.committed?[slot] = value
        link.survivor.values[slot] = value
    }
}
