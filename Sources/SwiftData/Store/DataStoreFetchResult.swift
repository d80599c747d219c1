/// What a store found.
public struct DataStoreFetchResult<ModelType, SnapshotType>: Sendable
where ModelType: PersistentModel, SnapshotType: DataStoreSnapshot {
    public let descriptor: FetchDescriptor<ModelType>
    /// In the descriptor's order.
    public let fetchedSnapshots: [SnapshotType]
    /// Other models that are known with them, so that they need not be fetched when they are used next.
    public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

    public init(
        descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
        relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}
