import ObjectGraph

extension MemoryStore {
    /// Returns the transactions that match a query, in order.
    /// - Throws: `HistoryError.tokenExpired`, also for a token in the query's test that every transaction must follow.
    package func history(_ query: HistoryQuery = HistoryQuery()) throws -> [HistoryTransaction] {
        let history = rows.history
        let last = query.after?.number(of: identifier)
        for number in query.test.startingTokens.compactMap({ $0.number(of: identifier) }) + [last].compactMap({ $0 }) {
            try history.check(number, of: identifier)
        }
        let found = history.transactions.filter { $0.number > last ?? 0 && query.test.holds($0) }
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
            switch bound {
            case .number(let number): return rows.history.delete(before: number)
            case .token(let token):
                guard let number = token.number(of: identifier) else { return 0 }
                guard number <= rows.history.newest else {
                    throw HistoryError.tokenExpired(store: identifier, number: number)
                }
                return rows.history.delete(before: number)
            case .time(let time):
                // Transactions after the first one at that time or later are kept, even if their own time is earlier.
                let first = rows.history.transactions.first { $0.timestamp >= time }
                return rows.history.delete(before: first?.number ?? .max)
            }
        }
    }

    /// Deletes the transactions that pass a test, at any position.
    /// - Returns: The number of deleted transactions.
    @discardableResult
    package func pruneHistory(where test: HistoryTest) throws -> Int {
        try transaction { $0.history.delete(test.deletionReason, where: test.holds) }
    }
}
