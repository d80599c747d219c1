import ObjectGraph

extension SQLiteStore {
    /// Writes new rows, completely or not at all. Existing rows with equal unique values are updated with the values of
    /// the new ones.
    /// - Parameter progress: Receives the number of rows written so far; an error thrown here stops the save.
    /// - Returns: The number of rows that replaced existing rows, or each other.
    /// - Throws: `StoreAccessError.readOnly`, the errors of a save, and those of `progress`; then nothing is written.
    package func save(_ staged: StagedRows, author: String?, progress: (Int) throws -> Void) throws -> Int {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if staged.count == 0 { return 0 }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                try saveRunner.save(staged, author: author, connection, progress: progress) {
                    willCommit($0.transactionNumber)
                }
            }
        }
    }

    /// Returns the number of new rows that would replace existing rows or each other, like `save` but without writing.
    /// - Parameter progress: Receives the number of examined rows; an error thrown here stops the search.
    /// - Throws: `ChangeSetError.keysExhausted`, `CellError`, `SQLiteError`, and the errors of `progress`.
    package func replacedCount(of staged: StagedRows, progress: (Int) throws -> Void = { _ in }) throws -> Int {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                var attempt = SaveAttempt(runner: saveRunner, changes: ChangeSet(), connection: connection)
                return try attempt.match(staged, progress: progress).count
            }
        }
    }
}
