import ObjectGraph

extension MemoryStore {
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        if changes.isEmpty {
            try beforeCommit()
            return .saved(SavedRows())
        }
        do {
            return try transaction { rows in
                try changes.check(model, entityIndex: rows.entityIndex)
                var run = SaveRun(changes, rows)
                do {
                    try run.run()
                } catch let stale as StaleRow {
                    throw FoundConflicts(conflicts: stale.conflicts(of: changes, rows))
                }
                rows = run.rows
                try beforeCommit()
                return .saved(run.saved)
            }
        } catch let found as FoundConflicts {
            return .conflicts(found.conflicts)
        }
    }
}

/// A row is not as the change set expects it.
struct StaleRow: Error {
    /// Rows that this save deletes although it links others with them, or that are gone already.
    var taken: Set<ObjectID> = []
    /// Rows that refer to some that were to go.
    var leading: Set<ObjectID> = []

    /// All that is not as expected, whichever of it was met first.
    fileprivate func conflicts(of changes: ChangeSet, _ rows: Rows) -> [Conflict] {
        let expected =
            changes.updates.map { ($0.id, $0.expectedVersion) } + changes.deletions.map { ($0.id, $0.expectedVersion) }
            + changes.watched.map { ($0.id, $0.expectedVersion) }
        let stale = expected.filter { !taken.contains($0.0) }.compactMap { id, version in
            let stored = rows.snapshot(id)
            return stored?.version == version ? nil : Conflict(id: id, expectedVersion: version, stored: stored)
        }
        let others = leading.sorted().filter { id in !stale.contains { $0.id == id } }
        return taken.map { Conflict(id: $0, expectedVersion: 0, stored: nil) } + stale
            + others.compactMap(rows.snapshot).map(Conflict.init(leadingToDeleted:))
    }
}

/// Takes a transaction back on its way; never leaves the store.
private struct FoundConflicts: Error {
    let conflicts: [Conflict]
}
