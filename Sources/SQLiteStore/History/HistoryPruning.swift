import Foundation
import ObjectGraph

/// Deletes history: the changes, the transactions, and the texts that nothing refers to any more, in one transaction and
/// one statement each.
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

    /// Wherever they are.
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

    /// Within a transaction of the caller's.
    /// - Parameter numbers: those that are not there are passed over.
    func prune(_ numbers: [Int64], _ reason: HistoryDeletionReason, _ connection: Connection) throws -> Int {
        let start = try HistoryStart.number(connection)
        let first = try HistoryReader.bounds(connection).firstNumber
        let list = ValueList(numbers)
        let count = try delete(HistoryQueries.pruneListedChanges, HistoryQueries.pruneListed, connection) {
            try $0.bind(list, at: 1)
        }
        let newFirst = try HistoryReader.bounds(connection).firstNumber
        if count > 0 { try HistoryStart.note(reason == .place && newFirst > first ? newFirst : start, connection) }
        return count
    }

    /// Within a transaction of the caller's.
    func prune(before number: Int64, _ connection: Connection) throws -> Int {
        let start = try HistoryStart.number(connection)
        let newest = try HistoryReader.bounds(connection).newest
        let count = try delete(HistoryQueries.pruneChanges, HistoryQueries.pruneTransactions, connection) {
            try $0.bind(number, at: 1)
        }
        if count > 0 { try HistoryStart.note(max(start, min(number, newest + 1)), connection) }
        return count
    }

    /// - Returns: how many transactions went.
    private func delete(
        _ changes: String, _ transactions: String, _ connection: Connection, _ bind: (Statement) throws -> Void
    ) throws -> Int {
        for sql in [changes, transactions] {
            try connection.withStatement(sql) { statement in
                try bind(statement)
                try statement.run()
            }
        }
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
