import Foundation

/// One save of a store, as its history records it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    /// The type of positions in the history.
    associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
    /// The type of transaction numbers.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The time of the save, by the clock of the machine that saved.
    var timestamp: Date { get }
    /// The changes, in the order in which they were made.
    var changes: [HistoryChange] { get }
    /// The position after this transaction, from which later ones can be fetched.
    var token: TokenType { get }
    /// The number of the transaction, which rises from transaction to transaction within a store.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the store that was saved.
    var storeIdentifier: String { get }
    /// The author of the context that saved; `nil` if it had none.
    var author: String? { get }
}
