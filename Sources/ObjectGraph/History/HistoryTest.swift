/// A question about one transaction that a store answers without giving its changes. The same question is put to
/// transactions in memory (`holds`), with the same answer.
package indirect enum HistoryTest: Sendable, Hashable {
    case constant(Bool)
    case and([HistoryTest])
    case or([HistoryTest])
    case not(HistoryTest)
    case number(ComparisonOperator, Int64)
    /// The transaction's place against the token's in the same store. A store that the token does not know comes after
    /// it as a whole.
    case token(ComparisonOperator, HistoryToken)
    /// Seconds since 2001-01-01 UTC.
    case time(ComparisonOperator, Double)
    /// The same bytes; `nil` for no text at all.
    case text(HistoryText, is: String?)
    case store(is: String)
    /// Whether the transaction changed the object. In memory, transactions need their changes for it.
    case changed(ObjectID)
}

/// The texts that a transaction carries.
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

    /// Tokens that every transaction asked for comes after: what followed them must still be there, or the answer would
    /// have a hole.
    package var startingTokens: [HistoryToken] {
        switch self {
        case .token(.greater, let token), .token(.greaterOrEqual, let token): [token]
        case .and(let parts): parts.flatMap(\.startingTokens)
        default: []
        }
    }
}

extension HistoryToken {
    /// The number of the last transaction that is known of a store; one less than any there can be for a store that the
    /// token does not know.
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

    /// The operator that says the same with its operands swapped.
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
