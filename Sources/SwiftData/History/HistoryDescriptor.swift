import Foundation

/// Which transactions of the history to fetch or to forget.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > lastToken && $0.author == "widget" }
/// let news = try context.fetchHistory(descriptor)
/// ```
public struct HistoryDescriptor<TransactionType>: Sendable where TransactionType: HistoryTransaction {
    /// `nil` for all. Comparisons of tokens, times, identifiers and texts are made by the stores, anything else in memory,
    /// with the same answer.
    public var predicate: Predicate<TransactionType>?
    /// 0 for no limit.
    public var fetchLimit: UInt64 = 0
    /// Empty for the order in which the transactions were made.
    public var sortBy: [SortDescriptor<TransactionType>]

    public init(predicate: Predicate<TransactionType>? = nil) {
        self.init(predicate: predicate, sortBy: [])
    }

    public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
