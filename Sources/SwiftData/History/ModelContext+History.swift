import Foundation
import ObjectGraph

extension ModelContext {
    /// Returns the transactions that match a descriptor, made by this or other processes: one for each save of a store. The
    /// transactions of several stores are in the order of their times.
    /// - Parameter descriptor: The transactions to fetch.
    /// - Throws: `SwiftDataError.historyTokenExpired` if history after a token of the predicate has been deleted: read all
    ///   models again then. `SwiftDataError.invalidTransactionFetchRequest` for transactions of a type that no store keeps,
    ///   and for files without history. An error of the predicate or of reading.
    /// - Complexity: A few statements for each 500 transactions that the stores find.
    public func fetchHistory<T>(_ descriptor: HistoryDescriptor<T>) throws -> [T] where T: HistoryTransaction {
        if let own = try core.fetchOwnHistory(descriptor) { return own }
        let descriptor = try defaultHistory(descriptor)
        do {
            return try HistoryReading(descriptor, core).fetch() as? [T] ?? []
        } catch {
            throw ErrorMapping.history(error)
        }
    }

    /// Deletes the transactions that match a descriptor from the history; with a limit, the first ones in the descriptor's
    /// order.
    ///
    /// A predicate on tokens, times and numbers that deletes from the beginning expires the tokens before that point. Any
    /// other deletion, by author for example, leaves a gap that reading on from a token skips.
    /// - Parameter descriptor: The transactions to delete.
    /// - Throws: `SwiftDataError.historyTokenExpired` if history after a token of the predicate has been deleted,
    ///   `invalidTransactionFetchRequest` for transactions of a type that no store keeps, and for files without history;
    ///   `CocoaError.fileWriteNoPermission` (513) for a read-only store; an error of the predicate or of writing.
    /// - Complexity: A few statements for each store if the stores can evaluate the predicate and there is no limit;
    ///   otherwise the transactions are fetched first.
    public func deleteHistory<T>(_ descriptor: HistoryDescriptor<T>) throws where T: HistoryTransaction {
        if try core.deleteOwnHistory(descriptor) { return }
        let descriptor = try defaultHistory(descriptor)
        do {
            try HistoryReading(descriptor, core).delete()
        } catch {
            throw ErrorMapping.history(error)
        }
    }

    private func defaultHistory<T>(
        _ descriptor: HistoryDescriptor<T>
    ) throws -> HistoryDescriptor<DefaultHistoryTransaction> where T: HistoryTransaction {
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw SwiftDataError.invalidTransactionFetchRequest.explained(
                "The stores keep transactions of type DefaultHistoryTransaction, not \(T.self).")
        }
        return descriptor
    }
}
