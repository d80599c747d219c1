import CSQLite

/// How a transaction takes its locks.
package enum TransactionKind: String, Sendable {
    /// Takes the write lock at the beginning, so that no later statement fails to get it.
    case immediate = "BEGIN IMMEDIATE"
    /// One consistent snapshot for several reads.
    case reading = "BEGIN"
}

extension Connection {
    /// Runs `body` in a transaction: all of its writes are committed, or, if it throws, none.
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

    /// Runs `body` while no other connection can write; writes of this one are rolled back. Does not wait for readers:
    /// only a commit does, for every reader of a file without a write-ahead log, even if nothing was written.
    func withoutWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try execute(TransactionKind.immediate.rawValue)
        defer { rollback() }
        return try body()
    }

    /// Results of a reading transaction stay valid, even though SQLite refuses to commit after it has found damage.
    private func end(_ kind: TransactionKind) throws {
        do {
            try withStatement("COMMIT") { try $0.run() }
        } catch  where kind == .reading {
            rollback()
        }
    }

    /// Runs `body`, whose transactions are on the disk when their commits return. Otherwise a commit to the write-ahead
    /// log may be lost in a crash of the machine, but only as a whole. Not within a transaction: SQLite refuses it.
    package func withDurableCommits<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA synchronous = FULL")
        // If this fails, later commits are slower, but as safe.
        defer { try? execute("PRAGMA synchronous = \(usualSafety)") }
        return try body()
    }

    /// Runs `body`, whose temporary data may be as large as the file, with temporary storage in files instead of memory.
    /// Not within a transaction.
    func withTemporaryFiles<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("PRAGMA temp_store = FILE")
        defer {
            // If this fails, sorting is slower; there is no other effect.
            try? execute("PRAGMA temp_store = MEMORY")
            // SQLite drops temporary objects when the setting changes. If they cannot be made again here, they are made
            // before the next write.
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

    /// Adds triggers that exist as long as the connection.
    /// - Parameter statements: Statements that make one trigger each, unless it exists.
    func addTemporary(_ statements: [String]) throws {
        temporaries += statements
        try makeTemporaries()
    }

    private func makeTemporaries() throws {
        for statement in temporaries { try execute(statement) }
    }

    /// Some errors (full disk, interrupted write) make SQLite roll back on its own; then nothing is left to do. An error
    /// of the rollback itself is ignored: the original error is more useful, and closing the connection rolls back
    /// anyway.
    private func rollback() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}
