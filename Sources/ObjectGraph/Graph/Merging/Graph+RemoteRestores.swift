/// Rows that others deleted and that exist again, in graphs where their objects are pending deletion.
extension Graph {
    /// Undeletes the objects of these rows, and the objects deleted only because of them. Objects without edits are read
    /// at the next access. Objects that the program itself deleted stay deleted.
    /// - Returns: The undeleted objects.
    /// - Complexity: O(n) in the records registered, if objects without a row in `ids` are undeleted.
    func restoreRemotelyDeleted(_ ids: [ObjectID], _ result: inout GraphChanges) -> [Record] {
        let named = Set(ids).compactMap { identityMap[$0] }
            .filter { !deletes.causes(of: $0).isDisjoint(with: [.remote, .remoteRule]) }.sorted { $0.id < $1.id }
        guard !named.isEmpty else { return [] }
        let back = named.filter { endRemoteDeletion(of: $0, from: [.remote, .remoteRule]) }
        // Delete rules must be followed from those that the program deleted, as the save deletes their rows again.
        if back.count < named.count { deletes.needsPropagation = true }
        let followers = restoreFollowers()
        discardMembers(in: Set(named.map(\.id.space)))
        result.append(restoreLinks(to: followers), .refreshed)
        result.append(followers, .inserted)
        // Survivors lost unsaved links to these, and these may have unsaved links to objects that stay deleted.
        withoutUndo { (back + followers).filter(\.isUpdated).forEach(restoreInverseLinks) }
        return back + followers
    }

    private func endRemoteDeletion(of record: Record, from causes: DeleteCauses) -> Bool {
        guard endDeletion(of: record, from: causes) else { return false }
        // Lists read while the row was missing are empty.
        if record.isUpdated { record.discardStoredMembers() } else { makeFault(record) }
        return true
    }

    /// Undeletes the objects that delete rules do not reach any more from others that are deleted.
    private func restoreFollowers() -> [Record] {
        let followers = deletes.records(deletedBy: .remoteRule).sorted { $0.id < $1.id }
        if followers.isEmpty { return [] }
        let byOthers = reached(from: deletes.records(deletedBy: .remote))
        let byProgram = reached(from: deletes.records(deletedBy: [.explicit, .rule]))
        for record in followers where byProgram.contains(record.id) { deletes.add(.rule, to: record) }
        return followers.filter { !byOthers.contains($0.id) && endRemoteDeletion(of: $0, from: .remoteRule) }
    }

    /// Returns the objects deleted by rule because of others' deletions that cascades reach from these.
    private func reached(from roots: [Record]) -> RowSet {
        guard let model, !roots.isEmpty else { return RowSet() }
        do {
            let reading = RegisteredReading(self, model) { [self] in deletes.causes(of: $0).contains(.remoteRule) }
            return try DeletePlanner.levels(below: RowSet(roots.lazy.map(\.id)), reading).dropFirst()
                .reduce(into: RowSet()) { $0.formUnion($1) }
        } catch {
            face?.report(error)
            // They stay deleted.
            return RowSet(deletes.records(deletedBy: .remoteRule).lazy.map(\.id))
        }
    }

    /// Restores the links of other objects to undeleted ones that had been deleted only because of others' deletions.
    /// - Returns: The objects with references to them.
    @discardableResult
    func restoreLinks(to followers: [Record]) -> [Record] {
        discardMembers(in: Set(followers.map(\.id.space)))
        return readReferencesAgain(to: followers)
    }

    /// Reads references again that were cleared when these objects were deleted. Their rows were not written, so they
    /// have no new version.
    /// - Returns: The objects with such references.
    private func readReferencesAgain(to records: [Record]) -> [Record] {
        guard let store, !records.isEmpty else { return [] }
        let roots = Set(records.map(\.entity.rootIndex))
        let survivors = identityMap.all.filter { mayHaveLostReference($0, to: roots) }
        for record in survivors {
            log.followed?.note(record, .all)
            if !record.hasChanges { makeFault(record) }
        }
        let edited = survivors.filter(\.hasChanges)
        do {
            for snapshot in try edited.isEmpty ? [] : store.snapshots(of: edited.map(\.id)) {
                // Another version is a conflict, which the save finds.
                guard let record = identityMap[snapshot.id], record.version == snapshot.version else { continue }
                rebase(record, onto: snapshot)
            }
        } catch {
            face?.report(error)
        }
        return survivors
    }

    /// Whether a reference to an object of one of the entities may have been cleared.
    private func mayHaveLostReference(_ record: Record, to rootIndices: Set<Int>) -> Bool {
        guard let model, !record.isFault, !record.isInserted, !record.isDeleted else { return false }
        let stored = record.committed ?? record.values
        return record.entity.toOneRelationships.contains { relationship in
            guard let slot = relationship.slot, slot < stored.count, stored[slot].isNull else { return false }
            return rootIndices.contains(model.destination(of: relationship).rootIndex)
        }
    }
}
