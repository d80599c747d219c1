/// The changes that a context saves to one store.
public struct DataStoreSaveChangesRequest<SnapshotType>: Sendable where SnapshotType: DataStoreSnapshot {
    /// The new models, with temporary identifiers.
    public let inserted: [SnapshotType]
    /// The changed models, with their new values.
    public let updated: [SnapshotType]
    /// The deleted models, with their last values.
    public let deleted: [SnapshotType]
    /// The identity of the context that saves.
    public let editingState: EditingState
}
