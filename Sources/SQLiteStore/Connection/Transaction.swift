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
        try withStatement(kind.rawValue) { try $0.run() }
        do {
            let result = try body()
            try withStatement("COMMIT") { try $0.run() }
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// SQLite has already rolled back after some errors (full disk, interrupted write); then there is nothing to do.
    /// The error that led here is worth more than one of the rollback, which closing the connection repeats anyway.
    private func rollback() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}
