import Foundation
import ObjectGraph
import StoreSQL

/// Deletes history: changes, transactions, and unreferenced texts, with one statement each in one transaction.
struct HistoryPruning: Sendable {
    let queries: HistoryQueries
    let storeIdentifier: String

    /// - Returns: The number of deleted transactions.
    func prune(before bound: HistoryBound, _ connection: Connection) throws -> Int {
        try connection.inTransaction(.immediate) {
            guard let number = try number(of: bound, connection) else { return 0 }
            return try prune(before: number, connection)
        }
    }

    /// Deletes all transactions that pass a test, wherever they are.
    func prune(where test: HistoryTest, _ connection: Connection) throws -> Int {
        try connection.inTransaction(.immediate) {
            let text = queries.numbers(where: test, storeIdentifier: storeIdentifier)
            let numbers = try connection.withStatement(text) { statement in
                var numbers: [Int64] = []
                while try statement.step() { numbers.append(statement.integer(at: 0)) }
                return numbers
            }
            return try prune(numbers, test.deletionReason, connection)
        }
    }

    /// Deletes transactions by number, within the caller's transaction.
    /// - Parameter numbers: Missing ones are ignored.
    func prune(_ numbers: [Int64], _ reason: HistoryDeletionReason, _ connection: Connection) throws -> Int {
        let start = try HistoryStart.number(connection)
        let former = try HistoryReader.range(connection)
        let count = try run(queries.pruning(KeySet(numbers)), connection)
        let range = try HistoryReader.range(connection)
        if count > 0 { try HistoryStart.note(range.start(start, prunedBy: reason, from: former), connection) }
        return count
    }

    /// Deletes the transactions before a number, within the caller's transaction.
    func prune(before number: Int64, _ connection: Connection) throws -> Int {
        let start = try HistoryStart.number(connection)
        let range = try HistoryReader.range(connection)
        let count = try run(HistoryQueries.pruning(before: number), connection)
        if count > 0 { try HistoryStart.note(range.start(start, prunedBefore: number), connection) }
        return count
    }

    /// - Parameter texts: The last one deletes the transactions.
    /// - Returns: The number of deleted transactions.
    private func run(_ texts: [SQLText], _ connection: Connection) throws -> Int {
        for text in texts { try connection.run(text) }
        let count = connection.changeCount
        if count > 0, let text = queries.pruneTexts { try connection.withStatement(text) { try $0.run() } }
        return count
    }

    /// Returns the oldest transaction to keep for registered consumers or because of its age; 0 if there are no consumers.
    func oldestAwaitedTransaction(keeping seconds: Double, _ connection: Connection) throws -> Int64 {
        try HistoryConsumers(connection: connection).all().firstAwaited(keeping: seconds) {
            try number(of: .time($0), connection)
        }
    }

    /// Checks that pruning is possible. Writes nothing.
    /// - Throws: `HistoryError.tokenExpired` for a token of a later state than the file's: its number is meaningless for
    ///   the existing transactions.
    func check(_ bound: HistoryBound, _ connection: Connection) throws {
        _ = try number(of: bound, connection)
    }

    /// Returns the first transaction to keep.
    private func number(of bound: HistoryBound, _ connection: Connection) throws -> Int64? {
        try bound.firstKept(of: storeIdentifier, newest: try HistoryReader.range(connection).newest) { time in
            try connection.withStatement(HistoryQueries.first(since: time)) {
                try $0.step() ? $0.integer(at: 0) : nil
            }
        }
    }
}
