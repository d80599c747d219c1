/// Rows that others deleted, in graphs that delete their objects at the save: the objects stay readable and are marked
/// as deleted, and the delete rules are applied to registered objects. Nothing is read from the store, and nothing is
/// written about the deleted rows.
extension Graph {
    /// - Complexity: O(n) in the records registered.
    func waitForSave(_ changes: SavedChanges, _ result: inout GraphChanges) {
        let rows = changes.deletedRows
        guard !rows.isEmpty else { return }
        let named = registered(in: rows)
        let roots = RowSet(named.lazy.filter { !$0.isDeleted }.map(\.id))
        let (levels, nullified) = consequences(of: rows, from: roots, outdated: changes.existingRows)
        let deleted = levels.flatMap { $0.ids.compactMap { identityMap[$0] } }
        for record in named where record.isDeleted { deletes.add(.remote, to: record) }
        for record in deleted { markDeleted(record, rows.contains(record.id) ? .remote : .remoteRule) }
        let gone = rows.union(RowSet(deleted.map(\.id)))
        result.append(removeLinks(to: gone, nullifying: nullified, .remote), .refreshed)
        result.append(deleted.filter { $0.graph === self }, .deleted)
    }

    /// Follows the delete rules over registered objects.
    /// - Parameters:
    ///   - roots: Those of the rows whose objects are not pending deletion already.
    ///   - outdated: Rows that the same changes leave, and may have moved to other owners: cascades do not follow their
    ///     former links.
    /// - Returns: The roots and what cascades reach from them, level by level, and the links that survivors lose.
    private func consequences(
        of rows: RowSet, from roots: RowSet, outdated: RowSet
    ) -> ([RowSet], [NullifiedLink]) {
        guard let model else { return ([], []) }
        do {
            let levels = try DeletePlanner.levels(
                below: roots, RegisteredReading(self, model, outdated: outdated))
            let deleted = levels.reduce(into: rows) { $0.formUnion($1) }
            return (levels, try DeletePlanner.nullifiedLinks(to: deleted, RegisteredReading(self, model)))
        } catch {
            face?.report(error)
            return ([], [])
        }
    }

    /// Whether the object is pending deletion because another context deleted its row.
    package func isRemotelyDeleted(_ record: Record) -> Bool { deletes.isRemote(record) }

    /// A fault without a row can no longer be read, so it gets its partial values, and no others.
    private func markDeleted(_ record: Record, _ cause: DeleteCauses) {
        if record.isInserted {
            if tracksEventChanges { noteEventChange(record) }
            return leave(record, as: .discarded)
        }
        if record.isFault, cause == .remote {
            record.values = record.carriedRow()
            record.carried = nil
            record.status.remove(.fault)
        }
        if tracksEventChanges { noteEventChange(record) }
        log.followed?.note(record, .all)
        deletes.add(cause, to: record)
    }
}
