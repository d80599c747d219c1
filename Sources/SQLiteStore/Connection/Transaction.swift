import CSQLite

/// How a transaction takes its locks.
package enum TransactionKind: String, Sendable {
    /// The write lock at once, so that nothing fails half way for want of it.
    case immediate = "BEGIN IMMEDIATE"
    /// One unchanging view for several reads.
    case reading = "BEGIN"
}

extension Connection {
    /// Runs `body` in a transaction: all of its writes are kept, or, when it throws, none.
    package func inTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        if kind == .immediate { try restoreTemporaries() }
        try withStatement(kind.rawValue) { try $0.run() }
        do {
            if kind == .immediate { try willWrite?(self) }
            let result = try body()
            try end(kind)
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs `body` while no other connection can write; what this one writes is rolled back. Does not wait for readers: only
    /// a commit does, for every reader of a file without a write-ahead log, even if nothing was written.
    func withoutWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try execute(TransactionKind.immediate.rawValue)
        defer { rollback() }
        return try body()
    }

    /// What was read counts, though SQLite refuses to commit once it has found damage, even where nothing was written.
    private func end(_ kind: TransactionKind) throws {
        do {
            try withStatement("COMMIT") { try $0.run() }
        } catch  where kind == .reading {
            rollback()
        }
    }

    /// Runs `body`, whose transactions are on the disk once they are committed. Otherwise a commit to the write-ahead
    /// log may be lost when the machine fails, though never a part of one. Not within a transaction: SQLite refuses it.
    package func withDurableCommits<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA synchronous = FULL")
        // Should this fail, later commits are slower, and no less safe.
        defer { try? execute("PRAGMA synchronous = \(usualSafety)") }
        return try body()
    }

    /// Runs `body`, which may put aside as much as the file holds: in files, where SQLite's own are small enough for memory.
    /// Not within a transaction.
    func withTemporaryFiles<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA temp_store = FILE")
        defer {
            // Should this fail, sorting is slower, and nothing else.
            try? execute("PRAGMA temp_store = MEMORY")
            // SQLite drops what is temporary when the setting changes. Should it not come back now, nothing is written
            // before it does.
            lacksTemporaries = true
            try? restoreTemporaries()
        }
        return try body()
    }

    private func restoreTemporaries() throws {
        guard lacksTemporaries else { return }
        try makeTemporaries()
        lacksTemporaries = false
    }

    /// Adds triggers that last as long as the connection.
    /// - Parameter statements: which make a trigger each, unless it is there.
    func addTemporary(_ statements: [String]) throws {
        temporaries += statements
        try makeTemporaries()
    }

    private func makeTemporaries() throws {
        for statement in temporaries { try execute(statement) }
    }

    /// SQLite has already rolled back after some errors (full disk, interrupted write); then there is nothing to do.
    /// The error that led here is worth more than one of the rollback, which closing the connection repeats anyway.
    private func rollback() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}
