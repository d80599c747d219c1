import Foundation

/// A store of a class of the program's own, such as a file of another format or a server.
///
/// A store must fetch and save. If it cannot evaluate a predicate or an order, it throws
/// `DataStoreError.preferInMemoryFilter` or `preferInMemorySort`, and is then called again for all models of the class.
/// Contexts handle unsaved changes, relationships, delete rules and merging, as with any store.
///
/// ```swift
/// let configuration = JSONStoreConfiguration(fileURL: url)
/// let container = try ModelContainer(for: Trip.self, configurations: configuration)
/// ```
///
/// Contexts call the store from their isolation, one call at a time.
public protocol DataStore: AnyObject {
    /// The type of the store's configuration.
    associatedtype Configuration: DataStoreConfiguration where Self == Self.Configuration.Store
    /// The type of the store's snapshots.
    associatedtype Snapshot: DataStoreSnapshot

    /// The identifier of the store, which is part of every model's identifier. It is the same each time the store is
    /// opened.
    var identifier: String { get }
    /// The schema of the models that the store keeps.
    var schema: Schema { get }
    /// The configuration that the store was opened with.
    var configuration: Configuration { get }

    /// Opens the store.
    /// - Parameters:
    ///   - configuration: The configuration, with the schema of the models that the store keeps.
    ///   - migrationPlan: The migration plan; `nil` if a container opens the store.
    /// - Throws: Any error. A container that opens the store throws `SwiftDataError.loadIssueModelContainer` with the text
    ///   of the error, or the error itself if it is a `SwiftDataError`.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// Deletes everything in the store.
    /// - Throws: Any error if the store cannot be emptied.
    func erase() throws

    /// Returns the models that the request's descriptor finds, in its order.
    /// - Parameter request: The fetch.
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `preferInMemorySort` to be called again for all models of the
    ///   class.
    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
    where T: PersistentModel
    /// Returns the number of models that the request's descriptor finds. By default, the models are fetched and counted.
    /// - Parameter request: The fetch.
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `preferInMemorySort` to be called again for all models of the
    ///   class.
    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel
    /// Returns the identifiers of the models that the request's descriptor finds, in its order. By default, the models are
    /// fetched.
    /// - Parameter request: The fetch.
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `preferInMemorySort` to be called again for all models of the
    ///   class.
    func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel

    /// Writes the changes that a context saves: all of them, or none.
    /// - Parameter request: The changes.
    /// - Returns: The identifier of each new model, and the models that the store keeps otherwise than they were given.
    /// - Throws: Any error if nothing was written: the context keeps its unsaved changes, and its save throws the same error.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

    /// Prepares the store for a context. Called when the context is created.
    /// - Parameter editingState: The identity of the context.
    func initializeState(for editingState: EditingState)
    /// Discards the state of a context. Called when the context is released.
    /// - Parameter editingState: The identity of the context.
    func invalidateState(for editingState: EditingState)

    /// Returns snapshots that are known without a fetch; models that are left out are fetched.
    /// - Parameters:
    ///   - persistentIdentifiers: The identifiers of the models.
    ///   - editingState: The identity of the context.
    /// - Throws: Any error; the call of the context throws it too, or logs it.
    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
    /// Throws an error, as a store cannot be emptied unless it implements this method.
    /// - Throws: `DataStoreError.unsupportedFeature`.
    public func erase() throws { throw DataStoreError.unsupportedFeature }

    /// Fetches the models and returns their number.
    /// - Parameter request: The fetch.
    /// - Throws: The error of the fetch.
    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try fetch(request).fetchedSnapshots.count
    }

    /// Fetches the models and returns their identifiers.
    /// - Parameter request: The fetch.
    /// - Throws: The error of the fetch.
    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    /// Does nothing.
    /// - Parameter editingState: The identity of the context.
    public func initializeState(for editingState: EditingState) {}
    /// Does nothing.
    /// - Parameter editingState: The identity of the context.
    public func invalidateState(for editingState: EditingState) {}

    /// Returns nothing: all models are fetched.
    /// - Parameters:
    ///   - persistentIdentifiers: The identifiers of the models.
    ///   - editingState: The identity of the context.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}
