import ObjectGraph

extension HistoryProviding {
    /// - Returns: `nil` for transactions of a type that the store does not keep.
    fileprivate func fetch<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
        return try fetchHistory(own) as? [T]
    }

    /// - Returns: `nil` for transactions of a type that the store does not keep.
    fileprivate func delete<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Void? {
        guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
        return try deleteHistory(own)
    }
}

/// The history of stores of the program's own classes. Transactions of one type are listed store by store.
extension ContainerCore {
    /// - Returns: `nil` if no such store keeps transactions of the type.
    func fetchOwnHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        var found: [T]?
        try eachDataStore { store in
            guard let history = try (store as? any HistoryProviding)?.fetch(descriptor) else { return }
            found = (found ?? []) + history
        }
        return found
    }

    /// - Returns: Whether such a store keeps transactions of the type.
    func deleteOwnHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        var isKept = false
        try eachDataStore { store in
            if try (store as? any HistoryProviding)?.delete(descriptor) != nil { isKept = true }
        }
        return isKept
    }
}
