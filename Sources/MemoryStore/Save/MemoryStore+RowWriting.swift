import ObjectGraph

extension MemoryStore {
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        if changes.isEmpty {
            try beforeCommit()
            return .saved(SavedRows())
        }
        do {
            return try transaction { rows in
                try changes.check(model, entityIndex: rows.spaces.entityIndex)
                var run = SaveRun(changes, rows)
                try run.run()
                rows = run.rows
                try beforeCommit()
                return .saved(run.saved)
            }
        } catch let stale as StaleRow {
            let rows = rows
            return .conflicts(stale.conflicts(of: changes) { $0.compactMap(rows.snapshot) })
        }
    }
}
