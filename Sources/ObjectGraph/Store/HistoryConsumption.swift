/// What a registered consumer does with one store's history: reads on from where it was, hands on, notes how far it has
/// come, page by page, and forgets what nobody waits for. What was handed on and not noted, because the process died or the
/// work failed, comes again.
package struct HistoryConsumption: Sendable {
    package let store: any HistoryKeeping
    package let name: String
    /// From where it reads in a store that does not know it yet.
    package let start: ConsumerStart

    package init(_ store: any HistoryKeeping, name: String, from start: ConsumerStart) {
        self.store = store
        self.name = name
        self.start = start
    }

    /// Hands on everything that is new, some transactions at a time, in order.
    /// - Parameters:
    ///   - ignoredAuthors: their transactions are passed over.
    ///   - seconds: younger history is not forgotten.
    /// - Returns: how many transactions were handed on.
    /// - Throws: `HistoryError.tokenExpired` when history was forgotten that this consumer has not read; what `body` throws;
    ///   what reading and writing throws.
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
