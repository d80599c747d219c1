/// A fetch, as a store receives it.
public struct DataStoreFetchRequest<T>: Sendable where T: PersistentModel {
    /// The identity of the context that fetches.
    public let editingState: EditingState
    /// The models to fetch. The store ignores the descriptor's setting for unsaved changes, which the context handles. The
    /// descriptor has no offset: its limit includes the models to skip.
    public let descriptor: FetchDescriptor<T>
}
