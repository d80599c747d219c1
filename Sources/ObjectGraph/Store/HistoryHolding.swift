/// A store that keeps its history in memory, as one value.
package protocol HistoryHolding: HistoryRecording {
    /// The present history. Later writes do not change the returned value.
    var historyContents: HistoryContents { get }

    /// Changes the history in a transaction of its own.
    func changeHistory<Result>(_ body: (inout HistoryContents) throws -> Result) throws -> Result
}

extension HistoryHolding {
    package var recordsHistory: Bool { true }

    package func history(_ query: HistoryQuery, limit: Int) throws -> [HistoryTransaction] {
        try historyContents.transactions(query, limit: limit)
    }

    package func historyToken() throws -> HistoryToken? { historyContents.token }

    package func checkPruning(before bound: HistoryBound) throws { _ = try historyContents.firstKept(before: bound) }

    @discardableResult
    package func pruneHistory(before bound: HistoryBound) throws -> Int {
        try changeHistory { history in try history.firstKept(before: bound).map { history.delete(before: $0) } ?? 0 }
    }

    @discardableResult
    package func pruneHistory(where test: HistoryTest) throws -> Int {
        try changeHistory { $0.delete(test.deletionReason, where: test.holds) }
    }

    @discardableResult
    package func pruneHistory(numbered numbers: [Int64], _ reason: HistoryDeletionReason) throws -> Int {
        let deleted = Set(numbers)
        return try changeHistory { $0.delete(reason) { deleted.contains($0.number) } }
    }

    package func historyConsumers() throws -> [RegisteredConsumer] { historyContents.consumers }

    package func registerHistoryConsumer(_ name: String, from start: ConsumerStart) throws {
        try changeHistory { $0.register(name, from: start) }
    }

    package func advanceHistoryConsumer(_ name: String, to number: Int64) throws {
        try changeHistory { $0.advance(name, to: number) }
    }

    package func restartHistoryConsumer(_ name: String) throws { try changeHistory { $0.restart(name) } }

    package func removeHistoryConsumer(_ name: String) throws { try changeHistory { $0.removeConsumer(name) } }

    @discardableResult
    package func pruneConsumedHistory(keeping seconds: Double) throws -> Int {
        if historyContents.firstAwaited(keeping: seconds) == nil { return 0 }
        return try changeHistory { history in
            history.firstAwaited(keeping: seconds).map { history.delete(before: $0) } ?? 0
        }
    }
}
