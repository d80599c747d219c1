/// Reads one store's history for a registered consumer: continues at the consumer's position, passes the transactions
/// on page by page, records the new position, and prunes history that all consumers have read. Transactions that were
/// passed on without recording the position, because the process ended or the work failed, are passed on again.
package struct HistoryConsumption: Sendable {
    package let store: any HistoryRecording
    package let name: String
    /// The start position in a store that has no position for the consumer.
    package let start: ConsumerStart

    package init(_ store: any HistoryRecording, name: String, from start: ConsumerStart) {
        self.store = store
        self.name = name
        self.start = start
    }

    /// Passes on all new transactions in order, in pages.
    /// - Parameters:
    ///   - ignoredAuthors: Authors whose transactions are skipped.
    ///   - seconds: The minimum age of pruned history.
    /// - Returns: The number of transactions passed on.
    /// - Throws: `HistoryError.tokenExpired` if history that this consumer has not read was deleted; the errors of
    ///   `body`, and of reading and writing.
    package func run(
        ignoring ignoredAuthors: Set<String>, keeping seconds: Double = 0, _ body: ([HistoryTransaction]) throws -> Void
    ) throws -> Int {
        if try store.historyConsumer(named: name) == nil { try store.registerHistoryConsumer(name, from: start) }
        var count = 0
        while let number = try store.historyConsumer(named: name)?.number {
            let page = try store.history(
                HistoryQuery(after: HistoryToken([store.identifier: number])), limit: HistoryQuery.pageSize)
            guard let last = page.last else { break }
            let wanted = page.filter { $0.author.map { !ignoredAuthors.contains($0) } ?? true }
            if !wanted.isEmpty { try body(wanted) }
            count += wanted.count
            try store.advanceHistoryConsumer(name, to: last.number)
        }
        try store.pruneConsumedHistory(keeping: seconds)
        return count
    }
}
