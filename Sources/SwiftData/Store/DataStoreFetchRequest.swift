/// A fetch, as a store is asked for it.
public struct DataStoreFetchRequest<T>: Sendable where T: PersistentModel {
    /// Who asks.
    public let editingState: EditingState
    /// Unsaved work is no concern of the store's, whatever the descriptor says of it. An offset is not handed on: the
    /// limit has room for what it skips.
    public let descriptor: FetchDescriptor<T>
}
