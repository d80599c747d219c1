import ObjectGraph

extension SQLiteStore: HistoryRecording {
    /// Whether saves are recorded in history.
    package var recordsHistory: Bool { history != nil }

    /// Returns the next transactions in order; an empty result only at the end. Continue with the last one's token. A
    /// page may have fewer transactions than `limit`.
    /// - Parameters:
    ///   - token: The last known transaction; `nil`, or a token without this store, for all.
    ///   - limit: The maximum number of transactions; less than 1 counts as 1.
    /// - Throws: `HistoryError`, `SQLiteError`.
    /// - Complexity: Three statements, whatever the limit.
    package func history(after token: HistoryToken?, limit: Int = HistoryQuery.pageSize) throws -> [HistoryTransaction]
    {
        try history(HistoryQuery(after: token), limit: limit)
    }

    /// Returns the next transactions of a query, like `history(after:limit:)`.
    /// - Throws: `HistoryError.tokenExpired` also for a token in the query's test that every transaction must follow.
    package func history(_ query: HistoryQuery, limit: Int = HistoryQuery.pageSize) throws -> [HistoryTransaction] {
        let reader = try historyReader()
        let number = query.after?.number(of: identifier)
        return try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                for start in query.startingNumbers(of: identifier) { try reader.check(start, connection) }
                return try reader.transactions(
                    after: number ?? 0, where: query.test, query.detail, limit: limit, connection)
            }
        }
    }

    /// Summarizes the transactions after one token, up to and including another's. Reads no rows.
    /// - Parameter last: `nil`, or a token without this store, for all transactions.
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

    /// Returns the changes of the transactions after a token, by identity.
    /// - Parameter count: The number of transactions that were committed to the file since. If history has another number
    ///   of them, some were not recorded.
    /// - Returns: Unspecified changes if some were not recorded, and for more than 10,000 changes.
    /// - Throws: `HistoryError.historyNotRecorded`, `SQLiteError`.
    package func changes(after token: HistoryToken, committed count: Int) throws -> SavedChanges {
        let reader = try historyReader()
        guard let first = token.number(of: identifier) else { return .overflow }
        return try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                guard try HistoryReader.range(connection).newest == first + Int64(count),
                    count <= RemoteChangeDetector.mostChanges
                else { return .overflow }
                let numbers = (0..<count).map { first + 1 + Int64($0) }
                return try reader.sum(of: numbers, mostChanges: RemoteChangeDetector.mostChanges, connection)
                    ?? .overflow
            }
        }
    }

    /// Returns the token of the newest transaction so far; `nil` for a file without history.
    package func historyToken() throws -> HistoryToken? {
        guard history != nil else { return nil }
        return try pool.withReader { HistoryToken([identifier: try HistoryReader.range($0).newest]) }
    }

    /// Returns the transactions before a number that pass a test, newest first, without their changes.
    /// - Throws: `HistoryError.historyNotRecorded`, `SQLiteError`.
    /// - Complexity: One statement. A test for an object reads changes until there are enough transactions.
    package func newestHistory(
        before number: Int64 = .max, where test: HistoryTest = .constant(true), limit: Int
    ) throws -> [HistoryTransaction] {
        let reader = try historyReader()
        return try pool.withReader {
            try reader.newestTransactions(before: number, where: test, limit: limit, $0)
        }
    }

    /// Returns changes of one transaction in order, in pages, so that it need not be in memory as a whole. Empty if the
    /// transaction does not exist.
    /// - Throws: `HistoryError.historyNotRecorded`, `SQLiteError`.
    package func historyChanges(of page: HistoryChangePage) throws -> [HistoryChange] {
        let reader = try historyReader()
        return try pool.withReader { try reader.changes(of: page, $0) }
    }

    /// Returns the number of changes of one transaction, for one object if it is given; zero if the transaction does not
    /// exist.
    /// - Throws: `HistoryError.historyNotRecorded`, `SQLiteError`.
    /// - Complexity: One statement that reads one row per change.
    package func historyCounts(of number: Int64, object: ObjectID? = nil) throws -> HistoryCounts {
        let reader = try historyReader()
        return try pool.withReader { try reader.counts(of: number, object: object, $0) }
    }

    /// Checks whether history can be pruned, for callers that check several stores before writing to one.
    /// - Throws: The errors of `pruneHistory(before:)`.
    package func checkPruning(before bound: HistoryBound) throws {
        let pruning = try historyPruning()
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try pruning.check(bound, connection) }
        }
    }

    /// Deletes the transactions before a bound. Their numbers are not reused.
    /// - Returns: The number of deleted transactions.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`; `HistoryError.historyNotRecorded`, and `.tokenExpired` for a
    ///   token of a later state than the file's.
    @discardableResult
    package func pruneHistory(before bound: HistoryBound) throws -> Int {
        try pruning { try $0.prune(before: bound, $1) }
    }

    /// Deletes the transactions that pass a test, wherever they are.
    ///
    /// If a test by number, time or token deletes the beginning of the history, earlier tokens expire. Any other deletion
    /// leaves a gap, which readers skip.
    /// - Returns: The number of deleted transactions.
    /// - Throws: The errors of `pruneHistory(before:)`.
    @discardableResult
    package func pruneHistory(where test: HistoryTest) throws -> Int {
        try pruning { try $0.prune(where: test, $1) }
    }

    /// Deletes the transactions with these numbers, like `pruneHistory(where:)`.
    @discardableResult
    package func pruneHistory(numbered numbers: [Int64], _ reason: HistoryDeletionReason) throws -> Int {
        try pruning { pruning, connection in
            try connection.inTransaction(.immediate) {
                try pruning.prune(numbers, reason, connection)
            }
        }
    }

    private func pruning(_ body: (HistoryPruning, Connection) throws -> Int) throws -> Int {
        let pruning = try historyPruning()
        return try pool.withWriter { try body(pruning, $0) }
    }

    private func historyPruning() throws -> HistoryPruning {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard let history else { throw HistoryError.historyNotRecorded(store: identifier) }
        return HistoryPruning(queries: history.queries, storeIdentifier: identifier)
    }

    private func historyReader() throws -> HistoryReader {
        guard let history else { throw HistoryError.historyNotRecorded(store: identifier) }
        return history
    }
}

extension SQLiteStore: ChangePolling {
    package var hasOtherWriters: Bool { fileURL != nil }

    /// Returns the changes that other connections, of this process or another, have saved since the last call or since
    /// the store was opened, by identity only. Costs one statement if there are none. May be called from any thread, but
    /// not within a save.
    /// - Throws: `SQLiteError`.
    package func changesByOthers() throws -> SavedChanges {
        try watcher.changesByOthers {
            isReadOnly ? .noWriter : try pool.withIdleWriter { .known(try $0.dataVersion()) } ?? .busy
        }
    }
}
