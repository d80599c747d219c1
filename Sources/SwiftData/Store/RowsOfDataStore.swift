import ObjectGraph

/// `DataStoreRows` of any store.
protocol RowsOfDataStore: ObjectRows {
    var anyBase: any DataStore { get }
    func erase() throws
    /// - Returns: Whether the store deletes by predicate.
    func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws -> Bool
}

extension DataStoreRows: RowsOfDataStore {
    var anyBase: any DataStore { base }

    func erase() throws {
        discardRecentRows()
        try base.erase()
    }

    func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws -> Bool {
        guard let batching = base as? any DataStoreBatching else { return false }
        discardRecentRows()
        try batching.delete(request)
        return true
    }
}
