import ObjectGraph

extension SQLiteStore: HistoryKeeping {
    /// Whether what is saved is written down.
    package var keepsHistory: Bool { history != nil }

    /// The next transactions in order, none only at the end: read on with the last one's token. A page may have fewer
    /// than asked for.
    /// - Parameters:
    ///   - token: the last transaction that is known; `nil` (and a token that does not know this store) for all.
    ///   - limit: most transactions; less than 1 counts as 1.
    /// - Throws: `HistoryError`, `SQLiteError`.
    /// - Complexity: three statements, whatever the limit.
    package func history(after token: HistoryToken?, limit: Int = HistoryQuery.pageSize) throws -> [HistoryTransaction] {
        try history(HistoryQuery(after: token), limit: limit)
    }

    /// The next transactions that a query asks for, as above.
    /// - Throws: `HistoryError.tokenExpired` also for a token in the query's test that every transaction must follow.
    package func history(_ query: HistoryQuery, limit: Int = HistoryQuery.pageSize) throws -> [HistoryTransaction] {
        let reader = try historyReader()
        let number = query.after?.number(of: identifier)
        let starts = query.test.startingTokens.compactMap { $0.number(of: identifier) }
        return try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                for start in starts + [number].compactMap({ $0 }) { try reader.check(start, connection) }
                return try reader.transactions(
                    after: number ?? 0, where: query.test, query.detail, limit: limit, connection)
            }
        }
    }

    /// What the transactions after one token, up to and including another's, come to. No row is read.
    /// - Parameter last: `nil`, or a token that does not know this store, for all there are.
    /// - Throws: `HistoryError`, `SQLiteError`.
    package func historySum(after token: HistoryToken?, through last: HistoryToken? = nil) throws -> SavedChanges {
        let reader = try historyReader()
        let first = token?.number(of: identifier)
        return try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                if let first { try reader.check(first, connection) }
                return try reader.sum(
                    after: first ?? 0, through: last?.number(of: identifier) ?? .max, connection)
            }
        }
    }

    /// The newest transaction there has been; `nil` for a file without history.
    package func historyToken() throws -> HistoryToken? {
        guard history != nil else { return nil }
        return try pool.withReader { HistoryToken([identifier: try HistoryReader.bounds($0).newest]) }
    }

    /// The transactions before a number that pass a test, without their changes, the newest first.
    /// - Throws: `HistoryError.notKept`, `SQLiteError`.
    /// - Complexity: one statement. One that asks for an object reads changes until there are enough transactions.
    package func newestHistory(
        before number: Int64 = .max, where test: HistoryTest = .constant(true), limit: Int
    ) throws -> [HistoryTransaction] {
        let reader = try historyReader()
        return try pool.withReader {
            try reader.newestTransactions(before: number, where: test, limit: limit, $0)
        }
    }

    /// Changes of one transaction in their order, so that it need not be in memory as a whole. None where the transaction
    /// is not there.
    /// - Throws: `HistoryError.notKept`, `SQLiteError`.
    package func historyChanges(of page: HistoryChangePage) throws -> [HistoryChange] {
        let reader = try historyReader()
        return try pool.withReader { try reader.changes(of: page, $0) }
    }

    /// How much one transaction changed, or changed of one object; nothing where it is not there.
    /// - Throws: `HistoryError.notKept`, `SQLiteError`.
    /// - Complexity: one statement, which reads a row of each change.
    package func historyCounts(of number: Int64, object: ObjectID? = nil) throws -> HistoryCounts {
        let reader = try historyReader()
        return try pool.withReader { try reader.counts(of: number, object: object, $0) }
    }

    /// Whether transactions can be forgotten, for who asks several stores before one is written.
    /// - Throws: As `pruneHistory(before:)`.
    package func checkPruning(before bound: HistoryBound) throws {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard let history else { return }
        let pruning = HistoryPruning(queries: history.queries, storeIdentifier: identifier)
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try pruning.check(bound, connection) }
        }
    }

    /// Deletes the transactions before a bound. Their numbers are not used again.
    /// - Returns: how many went.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`; `HistoryError.tokenExpired` for a token of a later state than the
    ///   file's.
    @discardableResult
    package func pruneHistory(before bound: HistoryBound) throws -> Int {
        try pruning { try $0.prune(before: bound, $1) }
    }

    /// Deletes the transactions that pass a test, wherever they are.
    ///
    /// What a test of places, times and tokens takes from the beginning expires the tokens before it. Whatever else is deleted
    /// leaves a hole: readers go on past it.
    /// - Returns: how many went.
    /// - Throws: As above.
    @discardableResult
    package func pruneHistory(where test: HistoryTest) throws -> Int {
        try pruning { try $0.prune(where: test, $1) }
    }

    /// The same for the transactions with these numbers.
    @discardableResult
    package func pruneHistory(numbered numbers: [Int64], _ reason: HistoryDeletionReason) throws -> Int {
        try pruning { pruning, connection in
            try connection.inTransaction(.immediate) {
                try pruning.prune(numbers, reason, connection)
            }
        }
    }

    private func pruning(_ body: (HistoryPruning, Connection) throws -> Int) throws -> Int {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard let history else { return 0 }
        let pruning = HistoryPruning(queries: history.queries, storeIdentifier: identifier)
        return try pool.withWriter { try body(pruning, $0) }
    }

    /// What other connections, of this process or another, saved since this was last asked, or since the store was
    /// opened; by identity only. Costs one statement when nobody saved. From any thread, but not from within a save.
    /// - Throws: `SQLiteError`.
    package func changesByOthers() throws -> SavedChanges {
        try watcher.changesByOthers {
            isReadOnly ? .noWriter : try pool.withIdleWriter { .known(try $0.dataVersion()) } ?? .busy
        }
    }

    private func historyReader() throws -> HistoryReader {
        guard let history else { throw HistoryError.notKept(store: identifier) }
        return history
    }
}
