/// What a store did with what it was given to save.
public final class DataStoreSaveChangesResult<T>: Sendable where T: DataStoreSnapshot {
    public let storeIdentifier: String
    /// The identifier each new model has from now on, by its temporary one.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Models that are other than they were given, as the store keeps them; by what they are known by now.
    public let snapshotsToReregister: [PersistentIdentifier: T]

    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:]
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
    }
}
