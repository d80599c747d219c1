/// A store that writes down what is saved, transaction by transaction, for those who read it later.
package protocol HistoryKeeping: AnyObject, Sendable {
    /// The store's UUID as upper-case text.
    var identifier: String { get }
    /// Whether it does: a file can be without history. What reads one throws `HistoryError.notKept` then.
    var keepsHistory: Bool { get }

    // MARK: Reading

    /// The next transactions that a query asks for, in order, none only at the end: read on with the last one's token. A page
    /// may have fewer than asked for.
    /// - Parameter limit: most transactions; less than 1 counts as 1.
    /// - Throws: `HistoryError`; `.tokenExpired` also for a token in the query's test that every transaction must follow.
    func history(_ query: HistoryQuery, limit: Int) throws -> [HistoryTransaction]

    /// The newest transaction there has been; `nil` without history.
    func historyToken() throws -> HistoryToken?

    // MARK: Deleting

    /// Whether transactions can be deleted, for callers that ask several stores before one is written.
    /// - Throws: As `pruneHistory(before:)`.
    func checkPruning(before bound: HistoryBound) throws

    /// Deletes the transactions before a bound. Their numbers are not used again.
    /// - Returns: how many.
    /// - Throws: `StoreAccessError.readOnly`; `HistoryError.tokenExpired` for a token of a later state than the store's.
    @discardableResult
    func pruneHistory(before bound: HistoryBound) throws -> Int

    /// Deletes the transactions that pass a test, wherever they are.
    ///
    /// What a test of places, times and tokens takes from the beginning expires the tokens before it. Whatever else is deleted
    /// leaves a hole: readers go on past it.
    /// - Returns: how many.
    /// - Throws: As above.
    @discardableResult
    func pruneHistory(where test: HistoryTest) throws -> Int

    /// The same for the transactions with these numbers.
    @discardableResult
    func pruneHistory(numbered numbers: [Int64], _ reason: HistoryDeletionReason) throws -> Int

    // MARK: Consumers

    /// Those who read the history again and again, by name.
    func historyConsumers() throws -> [RegisteredConsumer]

    /// Registers a name, unless it is known: then it goes on where it was.
    /// - Throws: `HistoryError.notKept`, `StoreAccessError.readOnly`.
    func registerHistoryConsumer(_ name: String, from start: ConsumerStart) throws

    /// Notes that a consumer has dealt with everything up to a transaction. It does not go back by that.
    /// - Throws: As above.
    func advanceHistoryConsumer(_ name: String, to number: Int64) throws

    /// A consumer goes on from the newest transaction there is, wherever it was: in a store that went back to an older state
    /// it may have been further.
    /// - Throws: As above.
    func restartHistoryConsumer(_ name: String) throws

    /// History is no longer kept for the name.
    /// - Throws: `StoreAccessError.readOnly`.
    func removeHistoryConsumer(_ name: String) throws

    /// Deletes what every registered consumer has read; the last transaction that all have read stays. Without a consumer
    /// nothing is deleted.
    /// - Parameter seconds: how old a transaction must be to be deleted.
    /// - Returns: how many.
    /// - Throws: As above. Nothing is written when there is nothing to delete.
    @discardableResult
    func pruneConsumedHistory(keeping seconds: Double) throws -> Int
}

extension HistoryKeeping {
    /// Every transaction that a query asks for, however many: page by page, so that others may write meanwhile.
    /// - Parameter most: `nil` for no limit.
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
    /// Transactions read at once.
    package static let pageSize = 500
}
