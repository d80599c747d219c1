/// A store that keeps a history of its saves.
public protocol HistoryProviding {
    /// The type of the store's transactions.
    associatedtype HistoryType: HistoryTransaction

    /// The type of the store's transactions.
    static var historyType: HistoryType.Type { get }
    /// Returns the transactions that match a descriptor.
    /// - Parameter descriptor: The transactions to fetch.
    /// - Throws: Any error; `ModelContext.fetchHistory(_:)` throws it.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
    /// Deletes the transactions that match a descriptor from the history.
    /// - Parameter descriptor: The transactions to delete.
    /// - Throws: Any error; `ModelContext.deleteHistory(_:)` throws it.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}
