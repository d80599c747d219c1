/// The result of a store's save.
public final class DataStoreSaveChangesResult<T>: Sendable where T: DataStoreSnapshot {
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The permanent identifier of each new model, by its temporary one.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Models that the store keeps otherwise than they were given, by their permanent identifiers.
    public let snapshotsToReregister: [PersistentIdentifier: T]
    /// The position in the store's history after the save; `nil` if the store keeps none.
    public let historyToken: (any HistoryToken)?

    /// Creates the result of a save.
    /// - Parameters:
    ///   - storeIdentifier: The identifier of the store.
    ///   - remappedIdentifiers: The permanent identifier of each new model, by its temporary one.
    ///   - snapshotsToReregister: Models that the store keeps otherwise than they were given, by their permanent
    ///     identifiers.
    public convenience init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:]
    ) {
        self.init(
            for: storeIdentifier, remappedIdentifiers: remappedIdentifiers,
            snapshotsToReregister: snapshotsToReregister, historyToken: nil)
    }

    /// Creates the result of a save of a store with history.
    /// - Parameters:
    ///   - storeIdentifier: The identifier of the store.
    ///   - remappedIdentifiers: The permanent identifier of each new model, by its temporary one.
    ///   - snapshotsToReregister: Models that the store keeps otherwise than they were given, by their permanent
    ///     identifiers.
    ///   - historyToken: The position in the store's history after the save; `nil` if the store keeps none.
    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:], historyToken: (any HistoryToken)?
    ) {
        self.historyToken = historyToken
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
    }
}
