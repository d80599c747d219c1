import Foundation
import ObjectGraph

extension ModelContext {
    /// What was saved, by whomever: one transaction for each save of a store. In a container of several stores their
    /// transactions come in the order of their times.
    /// - Throws: `SwiftDataError.historyTokenExpired` when history after a token that the predicate starts from was
    ///   forgotten: read all models again then. `SwiftDataError.invalidTransactionFetchRequest` for transactions of a type
    ///   that no store keeps, and for files without history. What the predicate and reading throw.
    /// - Complexity: A few statements for each 500 transactions that the stores let through.
    public func fetchHistory<T>(_ descriptor: HistoryDescriptor<T>) throws -> [T] where T: HistoryTransaction {
        if let own = try core.fetchOwnHistory(descriptor) { return own }
        let descriptor = try defaultHistory(descriptor)
        do {
            return try HistoryReading(descriptor, core).fetch() as? [T] ?? []
        } catch {
            throw ErrorMapping.history(error)
        }
    }

    /// Deletes the transactions that match, wherever they are in the history; with a limit, the first ones in the descriptor's
    /// order.
    ///
    /// What a predicate on tokens, times and numbers takes from the beginning expires the tokens before it. Whatever else is
    /// deleted, by its author for instance, leaves a hole: reading on from a token goes past it.
    /// - Throws: As `fetchHistory(_:)`; `CocoaError.fileWriteNoPermission` for a read-only store.
    /// - Complexity: A few statements for each store where the stores can test the predicate and there is no limit; else the
    ///   transactions are fetched first.
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
