/// The result of a store's save.
public final class DataStoreSaveChangesResult<T>: Sendable where T: DataStoreSnapshot {
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The permanent identifier of each new model, by its temporary one.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Models that the store keeps otherwise than they were given, by their permanent identifiers.
    public let snapshotsToReregister: [PersistentIdentifier: T]

    /// Creates the result of a save.
    /// - Parameters:
    ///   - storeIdentifier: The identifier of the store.
    ///   - remappedIdentifiers: The permanent identifier of each new model, by its temporary one.
    ///   - snapshotsToReregister: Models that the store keeps otherwise than they were given, by their permanent
    ///     identifiers.
    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:]
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
    }
}
