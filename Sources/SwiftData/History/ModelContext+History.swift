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

    /// Forgets transactions. A history is forgotten from its beginning only: of the transactions that match, those stay
    /// that come after one that does not, so that nobody who reads on from a token misses what was in between.
    /// - Throws: As `fetchHistory(_:)`; `CocoaError.fileWriteNoPermission` for a read-only store.
    public func deleteHistory<T>(_ descriptor: HistoryDescriptor<T>) throws where T: HistoryTransaction {
        if try core.deleteOwnHistory(descriptor) { return }
        let descriptor = try defaultHistory(descriptor)
        guard descriptor.fetchLimit == 0 || descriptor.sortBy.isEmpty else {
            throw SwiftDataError.invalidTransactionFetchRequest.explained(
                "History is forgotten from its beginning; leave the order out.")
        }
        let keepsSome: Bool
        do {
            keepsSome = try HistoryReading(descriptor, core).delete()
        } catch {
            throw ErrorMapping.history(error)
        }
        guard keepsSome else { return }
        Self.logger.notice("History that matches was kept, because older history does not match.")
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
