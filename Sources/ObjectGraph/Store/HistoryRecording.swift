/// A store that records its saves as a history of transactions.
package protocol HistoryRecording: AnyObject, Sendable {
    /// The store's UUID as upper-case text.
    var identifier: String { get }
    /// Whether the store records history; a file may have none. Reading, pruning and registering
    /// consumers then throw `HistoryError.historyNotRecorded`.
    var recordsHistory: Bool { get }

    // MARK: Reading

    /// Returns the next transactions that match a query, in order. A page may have fewer than `limit`, but is empty
    /// only at the end. Continue with the token of the last transaction.
    /// - Parameter limit: The maximum number of transactions; less than 1 counts as 1.
    /// - Throws: `HistoryError`; `.tokenExpired` also for a token in the query's test that every transaction must
    ///   follow.
    func history(_ query: HistoryQuery, limit: Int) throws -> [HistoryTransaction]

    /// Returns the token of the newest transaction that was ever written; `nil` without history.
    func historyToken() throws -> HistoryToken?

    // MARK: Deleting

    /// Checks that transactions can be deleted, for callers that check several stores before writing to any.
    /// - Throws: The errors of `pruneHistory(before:)`.
    func checkPruning(before bound: HistoryBound) throws

    /// Deletes the transactions before a bound. Their numbers are not used again.
    /// - Returns: The number of deleted transactions.
    /// - Throws: `StoreAccessError.readOnly`; `HistoryError.historyNotRecorded`, and `.tokenExpired` for a token of a
    ///   later state than the store's.
    @discardableResult
    func pruneHistory(before bound: HistoryBound) throws -> Int

    /// Deletes the transactions that pass a test, at any position.
    ///
    /// Deletions from the beginning, by a test of positions, times and tokens only, expire the tokens before the
    /// deleted transactions. All other deletions leave a gap that readers skip.
    /// - Returns: The number of deleted transactions.
    /// - Throws: The errors of `pruneHistory(before:)`.
    @discardableResult
    func pruneHistory(where test: HistoryTest) throws -> Int

    /// Deletes the transactions with these numbers; otherwise like `pruneHistory(where:)`.
    @discardableResult
    func pruneHistory(numbered numbers: [Int64], _ reason: HistoryDeletionReason) throws -> Int

    // MARK: Consumers

    /// Returns the registered consumers of the history.
    func historyConsumers() throws -> [RegisteredConsumer]

    /// Registers a consumer. One that is registered already keeps its position.
    /// - Throws: `HistoryError.historyNotRecorded`, `StoreAccessError.readOnly`.
    func registerHistoryConsumer(_ name: String, from start: ConsumerStart) throws

    /// Records that a consumer has processed everything up to a transaction. Never moves the position back.
    /// - Throws: The errors of `registerHistoryConsumer(_:from:)`.
    func advanceHistoryConsumer(_ name: String, to number: Int64) throws

    /// Moves a consumer to the newest transaction, even backwards: if the store was replaced with an older state, the
    /// consumer's position may be later than that.
    /// - Throws: The errors of `registerHistoryConsumer(_:from:)`.
    func restartHistoryConsumer(_ name: String) throws

    /// Unregisters a consumer, so that no history is kept for it.
    /// - Throws: `StoreAccessError.readOnly`.
    func removeHistoryConsumer(_ name: String) throws

    /// Deletes the transactions that all registered consumers have read, except for the last one. Deletes nothing if
    /// there is no consumer.
    /// - Parameter seconds: The minimum age of deleted transactions.
    /// - Returns: The number of deleted transactions.
    /// - Throws: The errors of `registerHistoryConsumer(_:from:)`. Writes nothing if there is nothing to delete.
    @discardableResult
    func pruneConsumedHistory(keeping seconds: Double) throws -> Int
}

extension HistoryRecording {
    /// Returns all transactions that match a query. Reads them in pages, so that others can write meanwhile.
    /// - Parameter most: The maximum number of transactions; `nil` for no limit.
    package func wholeHistory(_ query: HistoryQuery, most: Int? = nil) throws -> [HistoryTransaction] {
        var query = query
        var all: [HistoryTransaction] = []
        while most.map({ all.count < $0 }) ?? true {
            let page = try history(query, limit: min(HistoryQuery.pageSize, (most ?? .max) - all.count))
            guard let last = page.last else { break }
            all += page
            query.after = last.token
        }
        return all
    }

    package func historyConsumer(named name: String) throws -> RegisteredConsumer? {
        try historyConsumers().first { $0.name == name }
    }

    @discardableResult
    package func pruneConsumedHistory() throws -> Int { try pruneConsumedHistory(keeping: 0) }
}

extension HistoryQuery {
    /// The number of transactions read at once.
    package static let pageSize = 500
}
