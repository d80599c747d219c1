import Foundation

/// What one save did to a store, as its history tells it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// By the clock of the machine that saved.
    var timestamp: Date { get }
    /// In the order they were made.
    var changes: [HistoryChange] { get }
    /// What comes after it comes after this transaction.
    var token: TokenType { get }
    /// Rises from transaction to transaction within a store.
    var transactionIdentifier: TransactionIdentifier { get }
    var storeIdentifier: String { get }
    /// What `ModelContext.author` was.
    var author: String? { get }
}
