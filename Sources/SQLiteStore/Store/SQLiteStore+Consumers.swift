import Foundation
import ObjectGraph

/// Registered consumers, which read the history repeatedly, each under a name in the file, and pruning of the part that
/// all have read.
extension SQLiteStore {
    /// Returns the consumers by name.
    /// - Throws: `SQLiteError`.
    package func historyConsumers() throws -> [RegisteredConsumer] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try HistoryConsumers(connection: connection).all() }
        }
    }

    /// Registers a name. A name that is already registered keeps its position.
    /// - Throws: `HistoryError.historyNotRecorded`, `StoreAccessError.readOnly`, `SQLiteError`.
    package func registerHistoryConsumer(_ name: String, from start: ConsumerStart) throws {
        try writingConsumers { consumers, connection in
            guard try !consumers.all().contains(where: { $0.name == name }) else { return }
            try consumers.note(name, start.number(in: HistoryReader.range(connection)))
        }
    }

    /// Notes that a consumer has processed everything up to a transaction. Never moves its position back.
    /// - Throws: The errors of `registerHistoryConsumer`.
    package func advanceHistoryConsumer(_ name: String, to number: Int64) throws {
        try writingConsumers { consumers, _ in try consumers.advance(name, to: number) }
    }

    /// Moves a consumer to the newest transaction, whatever its position. In a file that was replaced by an older state,
    /// the position may have been later.
    /// - Throws: The errors of `registerHistoryConsumer`.
    package func restartHistoryConsumer(_ name: String) throws {
        try writingConsumers { consumers, connection in
            try consumers.note(name, HistoryReader.range(connection).newest)
        }
    }

    /// Removes a consumer. History is no longer preserved for it.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`.
    package func removeHistoryConsumer(_ name: String) throws {
        try writingConsumers { consumers, _ in try consumers.remove(name) }
    }

    /// Prunes the history that every registered consumer has read, except for the last such transaction. Does nothing
    /// without consumers.
    /// - Parameter seconds: The minimum age of a pruned transaction.
    /// - Returns: The number of pruned transactions.
    /// - Throws: The errors of `registerHistoryConsumer`. Nothing is written if there is nothing to prune.
    @discardableResult
    package func pruneConsumedHistory(keeping seconds: Double) throws -> Int {
        guard let history else { throw HistoryError.historyNotRecorded(store: identifier) }
        let pruning = HistoryPruning(queries: history.queries, storeIdentifier: identifier)
        let isDue = try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                guard let oldest = try HistoryReader.range(connection).oldest else { return false }
                return try oldest < pruning.oldestAwaitedTransaction(keeping: seconds, connection)
            }
        }
        guard isDue else { return 0 }
        return try writingConsumers { _, connection in
            try pruning.prune(before: pruning.oldestAwaitedTransaction(keeping: seconds, connection), connection)
        }
    }

    private func writingConsumers<Result>(_ body: (HistoryConsumers, Connection) throws -> Result) throws -> Result {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard history != nil else { throw HistoryError.historyNotRecorded(store: identifier) }
        return try pool.withWriter { connection in
            try connection.inTransaction(.immediate) { try body(HistoryConsumers(connection: connection), connection) }
        }
    }
}
