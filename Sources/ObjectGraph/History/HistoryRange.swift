/// The numbers of a store's history transactions.
package struct HistoryRange: Sendable, Hashable {
    /// `nil` if there is no transaction, or none is left.
    package let oldest: Int64?
    /// The number assigned last, even if its transaction is pruned; 0 before the first.
    package let newest: Int64

    package init(oldest: Int64?, newest: Int64) {
        self.oldest = oldest
        self.newest = newest
    }

    /// The number of the oldest transaction, or of the next one if there is none.
    package var first: Int64 { oldest ?? newest + 1 }

    /// Whether all transactions after a number exist.
    package func reach(_ number: Int64) -> Bool { number <= newest && number >= first - 1 }

    /// - Parameter start: The first number from which the history can be read; only transactions deleted by choice are
    ///   missing after it.
    /// - Throws: `HistoryError.tokenExpired` if transactions after the number are missing, or the number is of a later
    ///   state than the store's.
    package func check(_ number: Int64, of store: String, from start: @autoclosure () throws -> Int64) throws {
        if reach(number) { return }
        guard try number <= newest && number >= start() - 1 else {
            throw HistoryError.tokenExpired(store: store, number: number)
        }
    }

    // MARK: Pruning

    /// Returns the start after the transactions before a number were deleted.
    package func start(_ start: Int64, prunedBefore number: Int64) -> Int64 { max(start, min(number, newest + 1)) }

    /// Returns the start after transactions at any position were deleted. Readers skip those deleted by choice; deletions
    /// by position, from the beginning, expire the tokens before them.
    /// - Parameter former: The range before the deletion.
    package func start(_ start: Int64, prunedBy reason: HistoryDeletionReason, from former: HistoryRange) -> Int64 {
        reason == .place && first > former.first ? first : start
    }
}

extension HistoryBound {
    /// Returns the number of the first transaction to keep; `nil` for a token of other stores. If the clock was set
    /// back, there is no gap: everything after the first transaction since the time is kept, whatever its own time.
    /// - Parameter first: Returns the number of the first transaction since a time.
    /// - Throws: `HistoryError.tokenExpired` for a token of a later state than the store's: its number is meaningless for
    ///   the existing transactions.
    package func firstKept(
        of store: String, newest: @autoclosure () throws -> Int64, since first: (Double) throws -> Int64?
    ) throws -> Int64? {
        switch self {
        case .number(let number): return number
        case .token(let token):
            guard let number = token.number(of: store) else { return nil }
            guard try number <= newest() else { throw HistoryError.tokenExpired(store: store, number: number) }
            return number
        case .time(let time): return try first(time) ?? .max
        }
    }
}

extension HistoryQuery {
    /// Returns the numbers of a store's transactions that every transaction of the query follows; none of them may have
    /// expired.
    package func startingNumbers(of store: String) -> [Int64] {
        (test.startingTokens + [after].compactMap { $0 }).compactMap { $0.number(of: store) }
    }
}
