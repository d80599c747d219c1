import Foundation
import ObjectGraph

/// Forgets old history: the changes, the transactions, and the texts that nothing refers to any more, in one
/// transaction and one statement each. Always from the beginning, so that what is left has no holes.
struct HistoryPruning: Sendable {
    let queries: HistoryQueries
    let storeIdentifier: String

    /// - Returns: how many transactions went.
    func prune(before bound: HistoryBound, _ connection: Connection) throws -> Int {
        try connection.inTransaction(.immediate) {
            guard let number = try number(of: bound, connection) else { return 0 }
            return try prune(before: number, connection)
        }
    }

    /// Up to the first transaction that does not pass.
    func prune(where test: HistoryTest, _ connection: Connection) throws -> PrunedHistory {
        try connection.inTransaction(.immediate) {
            let text = queries.firstToKeep(test, storeIdentifier: storeIdentifier)
            let kept = try connection.withStatement(text) { statement in
                try statement.step() ? (number: statement.integer(at: 0), passing: statement.integer(at: 1)) : nil
            }
            let count = try prune(before: kept?.number ?? .max, connection)
            return PrunedHistory(count: count, keepsSomeThatPass: kept?.passing == 1)
        }
    }

    /// Within a transaction of the caller's.
    func prune(before number: Int64, _ connection: Connection) throws -> Int {
        try delete(HistoryQueries.pruneChanges, before: number, connection)
        try delete(HistoryQueries.pruneTransactions, before: number, connection)
        let count = connection.changeCount
        if count > 0, let text = queries.pruneTexts { try connection.withStatement(text) { try $0.run() } }
        return count
    }

    /// The oldest transaction that is to stay for the sake of registered consumers, or because it is too young; 0 when
    /// nobody is registered.
    func firstWaitedFor(keeping seconds: Double, _ connection: Connection) throws -> Int64 {
        guard let slowest = try HistoryConsumers(connection: connection).all().map(\.number).min() else { return 0 }
        guard seconds > 0 else { return slowest }
        let time = Date().timeIntervalSinceReferenceDate - seconds
        return min(slowest, try number(of: .time(time), connection) ?? slowest)
    }

    private func delete(_ sql: String, before number: Int64, _ connection: Connection) throws {
        try connection.withStatement(sql) { statement in
            try statement.bind(number, at: 1)
            try statement.run()
        }
    }

    /// Writes nothing.
    /// - Throws: `HistoryError.tokenExpired` for a token of a later state than the file's: its number says nothing about the
    ///   transactions that are there.
    func check(_ bound: HistoryBound, _ connection: Connection) throws {
        _ = try number(of: bound, connection)
    }

    /// The first transaction to keep. A clock that was set back does not make a hole: what follows the first
    /// transaction of the time stays, whatever its own time.
    private func number(of bound: HistoryBound, _ connection: Connection) throws -> Int64? {
        switch bound {
        case .number(let number): return number
        case .token(let token):
            guard let number = token.number(of: storeIdentifier) else { return nil }
            guard try number <= HistoryReader.bounds(connection).newest else {
                throw HistoryError.tokenExpired(store: storeIdentifier, number: number)
            }
            return number
        case .time(let time):
            return try connection.withStatement(HistoryQueries.firstSince) { statement in
                try statement.bind(time, at: 1)
                return try statement.step() ? statement.integer(at: 0) : .max
            }
        }
    }
}

/// What forgetting by a test did.
package struct PrunedHistory: Sendable, Hashable {
    /// Transactions that went.
    package let count: Int
    /// Whether transactions that pass stayed, because an older one does not.
    package let keepsSomeThatPass: Bool
}
