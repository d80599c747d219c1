/// A store that deletes models by predicate itself.
public protocol DataStoreBatching: DataStore {
    /// Deletes what matches, at once. Rules of relationships are the store's to follow.
    func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel
}
