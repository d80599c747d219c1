import Foundation

/// The transactions of the history to fetch or to delete.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > lastToken && $0.author == "widget" }
/// let news = try context.fetchHistory(descriptor)
/// ```
public struct HistoryDescriptor<TransactionType>: Sendable where TransactionType: HistoryTransaction {
    /// The condition; `nil` for all transactions. The stores evaluate comparisons of tokens, times, identifiers and texts;
    /// memory evaluates the rest, with the same result.
    public var predicate: Predicate<TransactionType>?
    /// The maximum number of transactions; 0 for no limit.
    public var fetchLimit: UInt64 = 0
    /// The order; empty for the order in which the transactions were made.
    public var sortBy: [SortDescriptor<TransactionType>]

    /// Creates a descriptor for transactions in the order in which they were made.
    /// - Parameter predicate: The condition; `nil` for all transactions.
    public init(predicate: Predicate<TransactionType>? = nil) {
        self.init(predicate: predicate, sortBy: [])
    }

    /// Creates a descriptor for transactions in a given order.
    /// - Parameters:
    ///   - predicate: The condition; `nil` for all transactions.
    ///   - sortBy: The order; empty for the order in which the transactions were made.
    public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
