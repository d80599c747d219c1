import Foundation
import ObjectGraph

/// Those who read the history again and again, each under a name in the file, and the part of it that all have read.
extension SQLiteStore {
    /// By name.
    /// - Throws: `SQLiteError`.
    package func historyConsumers() throws -> [RegisteredConsumer] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try HistoryConsumers(connection: connection).all() }
        }
    }

    /// Registers a name, unless it is known: then it goes on where it was.
    /// - Throws: `HistoryError.notKept`, `StoreAccessError.readOnly`, `SQLiteError`.
    package func registerHistoryConsumer(_ name: String, from start: ConsumerStart) throws {
        try writingConsumers { consumers, connection in
            guard try !consumers.all().contains(where: { $0.name == name }) else { return }
            let bounds = try HistoryReader.bounds(connection)
            let number =
                switch start {
                case .beginning: bounds.oldest.map { $0 - 1 } ?? bounds.newest
                case .now: bounds.newest
                }
            try consumers.note(name, number)
        }
    }

    /// Notes that a consumer has dealt with everything up to a transaction. It does not go back by that.
    /// - Throws: As above.
    package func advanceHistoryConsumer(_ name: String, to number: Int64) throws {
        try writingConsumers { consumers, _ in try consumers.advance(name, to: number) }
    }

    /// A consumer goes on from the newest transaction there is, wherever it was: in a file that went back to an older state
    /// it may have been further.
    /// - Throws: As above.
    package func restartHistoryConsumer(_ name: String) throws {
        try writingConsumers { consumers, connection in
            try consumers.note(name, HistoryReader.bounds(connection).newest)
        }
    }

    /// Nobody waits for the name any more.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`.
    package func removeHistoryConsumer(_ name: String) throws {
        try writingConsumers { consumers, _ in try consumers.remove(name) }
    }

    /// Forgets what every registered consumer has read; the last transaction that all have read stays. Without a
    /// consumer nothing is forgotten.
    /// - Parameter seconds: how old a transaction must be to be forgotten.
    /// - Returns: how many went.
    /// - Throws: As above. Nothing is written when there is nothing to forget.
    @discardableResult
    package func pruneConsumedHistory(keeping seconds: Double) throws -> Int {
        guard let history else { return 0 }
        let pruning = HistoryPruning(queries: history.queries, storeIdentifier: identifier)
        let isDue = try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                guard let oldest = try HistoryReader.bounds(connection).oldest else { return false }
                return try oldest < pruning.firstWaitedFor(keeping: seconds, connection)
            }
        }
        guard isDue else { return 0 }
        return try writingConsumers { _, connection in
            try pruning.prune(before: pruning.firstWaitedFor(keeping: seconds, connection), connection)
        }
    }

    private func writingConsumers<Result>(_ body: (HistoryConsumers, Connection) throws -> Result) throws -> Result {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        guard history != nil else { throw HistoryError.notKept(store: identifier) }
        return try pool.withWriter { connection in
            try connection.inTransaction(.immediate) { try body(HistoryConsumers(connection: connection), connection) }
        }
    }
}
