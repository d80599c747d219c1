/// Capabilities of a store beyond reading and saving; `nil` if the store lacks one. The only code that checks a store
/// for capabilities, besides `metadataKeeping` in `AppleFormats`.
extension Store {
    package var setDeleting: (any SetDeleting)? { capable as? any SetDeleting }
    package var archive: (any DeletionArchiving)? { capable as? any DeletionArchiving }
    package var batching: (any RowBatching)? { capable as? any RowBatching }
    package var statePreserving: (any StatePreserving)? { capable as? any StatePreserving }
    package var chunkedDeleting: (any ChunkedDeleting)? { capable as? any ChunkedDeleting }
    package var writingEnding: (any WritingEnding)? { capable as? any WritingEnding }
    package var checking: (any StoreChecking)? { capable as? any StoreChecking }
    /// `nil` also for a store that only this process can write to.
    package var changePolling: (any ChangePolling)? {
        (capable as? any ChangePolling).flatMap { $0.hasOtherWriters ? $0 : nil }
    }
    /// What batch requests of Core Data require.
    package var batchStore: (any BatchStore)? { capable as? any BatchStore }
    /// `nil` also for a store that supports history but was created without.
    package var historyRecording: (any HistoryRecording)? {
        (capable as? any HistoryRecording).flatMap { $0.recordsHistory ? $0 : nil }
    }

    /// - Throws: `StoreCapabilityError`.
    package func requireSetDeleting() throws -> any SetDeleting {
        guard let setDeleting else { throw StoreCapabilityError.deletesNoSets(store: identifier) }
        return setDeleting
    }

    /// For a view, its group: operations that bypass contexts are the same for every view.
    package var capable: any Sendable { (self as? StoreView)?.group ?? self as any Sendable }
}

/// A requested operation that the store does not support. Nothing was written.
package enum StoreCapabilityError: Error, Hashable {
    /// A bulk delete, which such a store cannot plan.
    case deletesNoSets(store: String)
}

extension StoreCapabilityError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .deletesNoSets(let store): "Store \(store) cannot delete rows by query; delete the objects."
        }
    }
}
