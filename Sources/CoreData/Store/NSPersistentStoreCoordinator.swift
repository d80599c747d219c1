import Foundation
import ObjectGraph

/// A coordinator of a model and the stores that contain its objects. Contexts read and write stores through a coordinator,
/// which any number of contexts and threads can share.
nonisolated open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Mutable state is guarded by the lock.
    final let core: CoordinatorCore
    final let queue = ContextQueue(main: false, label: "NSPersistentStoreCoordinator")
    private let state = Locked(State())
    /// The error of a model that cannot be used; stores cannot be added then.
    private let modelError: (any Error)?
    /// The model of the coordinator's stores.
    public let managedObjectModel: NSManagedObjectModel

    private struct State {
        var name: String?
        var stores: [NSPersistentStore] = []
    }

    /// Creates a coordinator without stores.
    /// - Parameter model: the model, which cannot be changed from here on. A fault in the model is reported when a store is added.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        do {
            core = CoordinatorCore(tables: ModelTables(model: try model.freeze(), description: model))
            modelError = nil
        } catch {
            core = CoordinatorCore(tables: ModelTables(model: Model(), description: model))
            modelError = error
        }
        super.init()
        core.belongs(to: self)
        OpenModels.add(core)
    }

    /// A name for people and logs.
    open var name: String? {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { ownStores }

    /// The stores, without calling an override.
    final var ownStores: [NSPersistentStore] { state.withLock { $0.stores } }

    // MARK: Adding

    /// Opens a store, or creates it if it does not exist.
    ///
    /// A store of an older version of the model is migrated as its options state.
    /// - Parameters:
    ///   - storeType: the type of the store.
    ///   - configuration: the name of a configuration of the model; `nil` for all entities.
    ///   - storeURL: the URL of the file; `nil` for a store in memory.
    ///   - options: the options of the store.
    /// - Returns: The store.
    /// - Throws: `CocoaError` 134100 if the file was written with another model and is not to be migrated, 134110 to 134190,
    ///   134504 and 134506 if it cannot be migrated, 259 if it is not a database, 134080 if it cannot be opened, belongs to the
    ///   coordinator already, or has derived attributes that cannot be computed, 134000 for an unknown type, 134020 for a model
    ///   or configuration that cannot be stored.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let plan = try storePlan(storeType, configuration, storeURL, options)
        let store = try opened(plan)
        try join(store, plan)
        return store
    }

    /// - Throws: `CocoaError` 134020 for a model or configuration that cannot be stored.
    final func storePlan(
        _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]?
    ) throws -> StorePlan {
        if let modelError {
            throw CocoaError(.persistentStoreIncompatibleSchema, text: String(describing: modelError))
        }
        return StorePlan(
            type: type, configuration: configuration, url: url, options: options, model: try model(of: configuration))
    }

    /// Opens a store without adding it to the coordinator.
    final func opened(_ plan: StorePlan) throws -> NSPersistentStore {
        DefaultFolder.prepare(for: plan.url)
        return try ErrorMapping.whileOpening {
            try StoreClasses.type(for: plan.type).map { try makeStore($0, plan) } ?? openStore(plan)
        }
    }

    /// - Throws: `CocoaError` 134080 for a store that belongs to the coordinator already.
    final func join(_ store: NSPersistentStore, _ plan: StorePlan) throws {
        try enter(store, plan)
        joined(store, plan)
    }

    /// Adds a store without posting a notification.
    /// - Throws: `CocoaError` 134080 for a store that belongs to the coordinator already.
    final func enter(_ store: NSPersistentStore, _ plan: StorePlan) throws {
        let engine = try engine(of: store)
        guard core.add(engine, of: store, takesBatchRequests: plan.type == NSSQLiteStoreType) else {
            throw CocoaError(
                .persistentStoreOpen,
                text: "Can't add the same store twice: the coordinator has the store \(engine.identifier) already.")
        }
        state.withLock { $0.stores.append(store) }
    }

    /// Replaces a store with the same identifier, so that one of the two is present at all times.
    final func takePlace(of former: NSPersistentStore, _ store: NSPersistentStore, _ plan: StorePlan) throws {
        core.replaceStore(
            identifier: former.storeIdentifier, by: try engine(of: store), of: store,
            takesBatchRequests: plan.type == NSSQLiteStoreType)
        state.withLock { state in state.stores = state.stores.filter { $0 !== former } + [store] }
    }

    private func engine(of store: NSPersistentStore) throws -> any Store {
        guard let engine = store.engine else { throw ErrorMapping.opening(StoreClassError.storeIsGone) }
        return engine
    }

    /// Opens a store, or creates it if it does not exist, with the type as a value.
    ///
    /// A store of an older version of the model is migrated as its options state.
    /// - Parameters:
    ///   - type: the type of the store.
    ///   - configuration: the name of a configuration of the model; `nil` for all entities.
    ///   - storeURL: the URL of the file.
    ///   - options: the options of the store.
    /// - Returns: The store.
    /// - Throws: `CocoaError` 134100 if the file was written with another model and is not to be migrated, 134110 to 134190,
    ///   134504 and 134506 if it cannot be migrated, 259 if it is not a database, 134080 if it cannot be opened, belongs to the
    ///   coordinator already, or has derived attributes that cannot be computed, 134000 for an unknown type, 134020 for a model
    ///   or configuration that cannot be stored.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens a store, or creates it if it does not exist, as a description states.
    /// - Parameters:
    ///   - storeDescription: the description of the store.
    ///   - block: called with the description, and the error if the store could not be opened; at once, or on the coordinator's
    ///     queue if the description's `shouldAddStoreAsynchronously` is set.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        guard storeDescription.shouldAddStoreAsynchronously else {
            block(storeDescription, add(storeDescription))
            return
        }
        queue.async { block(storeDescription, self.add(storeDescription)) }
    }

    private func add(_ description: NSPersistentStoreDescription) -> (any Error)? {
        do {
            _ = try addPersistentStore(
                ofType: description.type, configurationName: description.configuration, at: description.url,
                options: description.options)
            return nil
        } catch {
            return error
        }
    }

    /// The coordinator's model, restricted to the entities of a configuration.
    private func model(of configuration: String?) throws -> Model {
        guard let configuration, configuration != NSPersistentStore.defaultConfigurationName else { return core.model }
        guard let entities = managedObjectModel.entities(forConfigurationName: configuration) else {
            throw CocoaError(
                .persistentStoreIncompatibleSchema, text: "The model has no configuration '\(configuration)'; set it.")
        }
        let names = Set(entities.compactMap(\.name))
        do {
            return try core.model.restricted(to: names)
        } catch {
            throw CocoaError(
                .persistentStoreIncompatibleSchema,
                text: "Configuration '\(configuration)' cannot be a store of its own. \(error)")
        }
    }

    // MARK: Removing

    /// Closes a store; its file stays. Its objects become faults that cannot be fired. A concurrent save by another thread is
    /// complete when this returns, or fails.
    /// - Parameter store: a store of this coordinator.
    /// - Throws: `CocoaError` 134070 for a store of another coordinator.
    open func remove(_ store: NSPersistentStore) throws {
        try requireOwn(store)
        willRemove(store)
        try endWriting(to: store) { detach(store) }
        removed(store)
    }

    final func detach(_ store: NSPersistentStore) {
        state.withLock { state in state.stores.removeAll { $0 === store } }
        core.removeStore(identifier: store.storeIdentifier)
    }

    /// - Throws: `CocoaError` 134070 for a store of another coordinator.
    final func requireOwn(_ store: NSPersistentStore) throws {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw CocoaError(.persistentStoreOperation, text: "The store is not one of this coordinator's.")
        }
    }

    // MARK: Looking up

    /// Returns the store at a URL.
    /// - Parameter url: the URL of the store's file.
    /// - Returns: `nil` if no store of the coordinator is there.
    open func persistentStore(for url: URL) -> NSPersistentStore? {
        let name = OpenStoreRegistry.name(of: url)
        return persistentStores.first { $0.url.map(OpenStoreRegistry.name) == name }
    }

    /// Returns the URL of a store.
    /// - Parameter store: a store of this coordinator.
    /// - Returns: `/dev/null` for a store without a URL.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// Returns the metadata of a store.
    /// - Parameter store: a store of this coordinator.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Sets the metadata of a store; they are written to the file by the next save.
    /// - Parameters:
    ///   - metadata: the metadata.
    ///   - store: a store of this coordinator.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

    /// Returns the identifier of the object that a URI stands for.
    /// - Parameter url: a URI from `uriRepresentation()`.
    /// - Returns: `nil` for any other URI, and for one of a store that is not open or an entity that the model lacks. The row
    ///   need not exist.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard let id = core.objectID(ofReferenceIn: url) ?? ObjectID(uri: url), let store = id.storeIdentifier,
            core.stores.member(identifier: store) != nil,
            core.model.entity(named: id.entityName) != nil
        else { return nil }
        return NSManagedObjectID(id, core)
    }

    /// Returns the identifier of the object that the text of a URI stands for.
    /// - Parameters:
    ///   - data: the text's bytes in UTF-8, which end with a zero or at `length`.
    ///   - length: the maximum number of bytes.
    /// - Returns: `nil` for any other text.
    open func managedObjectID(fromUTF8String data: UnsafePointer<CChar>, length: Int) -> NSManagedObjectID? {
        let bytes = UnsafeBufferPointer(start: data, count: length).prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return URL(string: String(decoding: bytes, as: UTF8.self)).flatMap(managedObjectID(forURIRepresentation:))
    }

    // MARK: Work

    /// Executes a request for a context of this coordinator. Call it on the context's queue.
    /// - Parameters:
    ///   - request: the request.
    ///   - context: a context of this coordinator.
    /// - Returns: The results of a fetch as an array, or the result of another request.
    /// - Throws: `CocoaError` 134070 for a context of another coordinator; the errors of the context's `fetch(_:)` and
    ///   `execute(_:)`.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard context.persistentStoreCoordinator === self else {
            throw CocoaError(
                .persistentStoreOperation, text: "The context is of another coordinator; ask that one.")
        }
        if let fetch = request as? any ExecutableFetch { return try fetch.results(in: context) }
        return try context.execute(request)
    }

    /// Enqueues a block on the coordinator's queue and returns at once.
    /// - Parameter block: runs on the coordinator's queue.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) { queue.async(block) }

    /// Runs a block on the coordinator's queue and waits for it.
    /// - Parameter block: runs on the coordinator's queue.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    @preconcurrency
    public func performAndWait<T, E: Error>(_ block: @Sendable () throws(E) -> T) throws(E) -> T {
        try queue.sync(block)
    }

    /// Runs a block on the coordinator's queue and returns its result without blocking a thread.
    /// - Parameter block: runs on the coordinator's queue.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    @preconcurrency
    public func perform<T, E: Error>(_ block: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
        try await queue.run(block)
    }
}
