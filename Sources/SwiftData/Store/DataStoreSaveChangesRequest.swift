/// What a context saves into one store.
public struct DataStoreSaveChangesRequest<SnapshotType>: Sendable where SnapshotType: DataStoreSnapshot {
    /// New models, with temporary identifiers.
    public let inserted: [SnapshotType]
    /// Models that were changed, as they are now.
    public let updated: [SnapshotType]
    /// Models that go, as they were.
    public let deleted: [SnapshotType]
    /// Who saves.
    public let editingState: EditingState
}
