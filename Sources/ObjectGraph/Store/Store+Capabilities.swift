/// What a store can do beyond reading and saving; `nil` for what it cannot do. The only place that asks a store for its
/// capabilities.
extension Store {
    package var setDeleting: (any SetDeleting)? { capable as? any SetDeleting }
    package var archive: (any DeletionArchiving)? { capable as? any DeletionArchiving }
    package var batching: (any RowBatching)? { capable as? any RowBatching }
    package var stateKeeping: (any StateKeeping)? { capable as? any StateKeeping }
    package var chunkedDeleting: (any ChunkedDeleting)? { capable as? any ChunkedDeleting }
    /// `nil` also for a store that could keep history and was made without.
    package var historyKeeping: (any HistoryKeeping)? {
        (capable as? any HistoryKeeping).flatMap { $0.keepsHistory ? $0 : nil }
    }

    /// - Throws: `StoreCapabilityError`.
    package func requireSetDeleting() throws -> any SetDeleting {
        guard let setDeleting else { throw StoreCapabilityError.deletesNoSets(store: identifier) }
        return setDeleting
    }

    /// Of a view, the group behind it: what is done past contexts is the same for each of them.
    private var capable: any Sendable { (self as? StoreView)?.group ?? self as any Sendable }
}

/// What a store was asked for and cannot do. Nothing was written.
package enum StoreCapabilityError: Error, Hashable {
    /// A delete by query, which such a store cannot plan.
    case deletesNoSets(store: String)
}

extension StoreCapabilityError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .deletesNoSets(let store): "Store \(store) cannot delete rows by query; delete the objects."
        }
    }
}
