import ObjectGraph

extension MemoryStore {
    /// Returns the transactions that match a query, in order.
    /// - Throws: `HistoryError.tokenExpired`, also for a token in the query's test that every transaction must follow.
    package func history(_ query: HistoryQuery = HistoryQuery()) throws -> [HistoryTransaction] {
        let history = rows.history
        for number in query.startingNumbers(of: identifier) {
            try history.range.check(number, of: identifier, from: history.start)
        }
        let last = query.after?.number(of: identifier) ?? 0
        let found = history.transactions.filter { $0.number > last && query.test.holds($0) }
        if query.detail == .withChanges { return found }
        return found.map { transaction in
            var transaction = transaction
            transaction.changes = []
            return transaction
        }
    }

    /// Returns the token of the newest transaction that was ever written.
    package func historyToken() -> HistoryToken { HistoryToken([identifier: rows.history.newest]) }

    /// Deletes the transactions before a bound.
    /// - Returns: The number of deleted transactions.
    /// - Throws: `HistoryError.tokenExpired` for a token of a later state than the store's.
    @discardableResult
    package func pruneHistory(before bound: HistoryBound) throws -> Int {
        try transaction { rows in
            let transactions = rows.history.transactions
            let first = try bound.firstKept(of: identifier, newest: rows.history.newest) { time in
                transactions.first { $0.timestamp >= time }?.number
            }
            return first.map { rows.history.delete(before: $0) } ?? 0
        }
    }

    /// Deletes the transactions that pass a test, at any position.
    /// - Returns: The number of deleted transactions.
    @discardableResult
    package func pruneHistory(where test: HistoryTest) throws -> Int {
        try transaction { $0.history.delete(test.deletionReason, where: test.holds) }
    }
}
