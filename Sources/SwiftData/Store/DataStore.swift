import Foundation

/// A place for models that a program makes itself: a file of its own format, a server.
///
/// The least that a store does is fetch and save; where it cannot judge a predicate or an order it says so with
/// `DataStoreError.preferInMemoryFilter` or `preferInMemorySort`, and gives all models of the class when it is asked again.
/// Unsaved work, relationships, delete rules and merging are the contexts', as with any store.
///
/// ```swift
/// let configuration = JSONStoreConfiguration(fileURL: url)
/// let container = try ModelContainer(for: Trip.self, configurations: configuration)
/// ```
///
/// Contexts ask from whatever isolation they are used in, one call at a time.
public protocol DataStore: AnyObject {
    associatedtype Configuration: DataStoreConfiguration where Self == Self.Configuration.Store
    associatedtype Snapshot: DataStoreSnapshot

    /// Part of every identifier of the store: the same each time the store is opened.
    var identifier: String { get }
    var schema: Schema { get }
    var configuration: Configuration { get }

    /// Opens the store.
    /// - Parameters:
    ///   - configuration: with the schema of the models that the store is to keep.
    ///   - migrationPlan: `nil` where a container opens the store.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// Removes everything there is.
    /// - Throws: Anything, where that cannot be done.
    func erase() throws

    /// The models that the request's descriptor picks, in its order.
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `preferInMemorySort` to be asked for all models of the class.
    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
    where T: PersistentModel
    /// How many models that is; unless the store knows better, they are fetched and counted.
    /// - Throws: As `fetch(_:)`.
    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel
    /// Their identifiers; unless the store knows better, the models are fetched.
    /// - Throws: As `fetch(_:)`.
    func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel

    /// Writes what a context saves: all of it, or nothing.
    /// - Returns: The identifier of each new model, and whatever else the store keeps otherwise than it was given.
    /// - Throws: Anything, where nothing was written: the context keeps its unsaved work, and its save throws the same.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

    /// A context begins to use the store.
    func initializeState(for editingState: EditingState)
    /// The context is gone.
    func invalidateState(for editingState: EditingState)

    /// What is known of some models without a fetch; those left out are fetched.
    /// - Throws: Anything; what the context was asked throws the same, or logs it.
    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
    /// A store that cannot be emptied says so.
    /// - Throws: `DataStoreError.unsupportedFeature`.
    public func erase() throws { throw DataStoreError.unsupportedFeature }

    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try fetch(request).fetchedSnapshots.count
    }

    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    public func initializeState(for editingState: EditingState) {}
    public func invalidateState(for editingState: EditingState) {}

    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}
