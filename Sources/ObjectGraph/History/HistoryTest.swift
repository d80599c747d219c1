/// A test of one transaction that a store can evaluate without reading its changes. `holds` evaluates it for
/// transactions in memory, with equal results.
package indirect enum HistoryTest: Sendable, Hashable {
    case constant(Bool)
    case and([HistoryTest])
    case or([HistoryTest])
    case not(HistoryTest)
    case number(ComparisonOperator, Int64)
    /// Compares the transaction's position with the token's in the same store. If the token does not have the store,
    /// all its transactions are later.
    case token(ComparisonOperator, HistoryToken)
    /// Seconds since 2001-01-01 UTC.
    case time(ComparisonOperator, Double)
    /// Compares bytes; `nil` for no text.
    case text(HistoryText, is: String?)
    case store(is: String)
    /// Whether the transaction changed the object. In memory, this requires the changes of the transactions.
    case changed(ObjectID)
}

/// The texts of a transaction.
package enum HistoryText: Sendable, Hashable, CaseIterable {
    case author, contextName, processID, bundleID
}

extension HistoryTest {
    package func holds(_ transaction: HistoryTransaction) -> Bool {
        switch self {
        case .constant(let answer): answer
        case .and(let parts): parts.allSatisfy { $0.holds(transaction) }
        case .or(let parts): parts.contains { $0.holds(transaction) }
        case .not(let part): !part.holds(transaction)
        case .number(let comparison, let number): comparison.holds(transaction.number, number)
        case .token(let comparison, let token):
            comparison.holds(transaction.number, token.place(in: transaction.storeIdentifier))
        case .time(let comparison, let time): comparison.holds(transaction.timestamp, time)
        case .text(let text, let wanted): Self.isSame(transaction[text], wanted)
        case .store(let identifier): transaction.storeIdentifier == identifier
        case .changed(let id): transaction.changes.contains { $0.id == id }
        }
    }

    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Tokens that every matching transaction must follow. The transactions after them must still exist, otherwise the
    /// result would be incomplete.
    package var startingTokens: [HistoryToken] {
        switch self {
        case .token(.greater, let token), .token(.greaterOrEqual, let token): [token]
        case .and(let parts): parts.flatMap(\.startingTokens)
        default: []
        }
    }
}

extension HistoryToken {
    /// Returns the number of the last known transaction of a store; a number less than any transaction's for a store
    /// that the token does not have.
    package func place(in storeIdentifier: String) -> Int64 { number(of: storeIdentifier) ?? -1 }
}

extension HistoryTransaction {
    package subscript(text: HistoryText) -> String? {
        switch text {
        case .author: author
        case .contextName: contextName
        case .processID: processID
        case .bundleID: bundleID
        }
    }
}

extension ComparisonOperator {
    fileprivate func holds<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    /// The equivalent operator for swapped operands.
    package var mirrored: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
