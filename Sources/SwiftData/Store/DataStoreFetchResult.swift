/// The result of a store's fetch.
public struct DataStoreFetchResult<ModelType, SnapshotType>: Sendable
where ModelType: PersistentModel, SnapshotType: DataStoreSnapshot {
    /// The descriptor of the fetch.
    public let descriptor: FetchDescriptor<ModelType>
    /// The models found, in the descriptor's order.
    public let fetchedSnapshots: [SnapshotType]
    /// Other models that were read with them, which need not be fetched when they are used next.
    public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

    /// Creates the result of a fetch.
    /// - Parameters:
    ///   - descriptor: The descriptor of the fetch.
    ///   - fetchedSnapshots: The models found, in the descriptor's order.
    ///   - relatedSnapshots: Other models that were read with them.
    public init(
        descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
        relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}
