/// A store that carries out bulk deletes itself.
public protocol DataStoreBatching: DataStore {
    /// Deletes the matching models at once. The store itself follows the delete rules of relationships.
    /// - Parameter request: The bulk delete.
    /// - Throws: Any error; the context's `delete(model:where:includeSubclasses:)` throws it.
    func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel
}
