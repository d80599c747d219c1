import Foundation
import ObjectGraph

/// A container that sets up a model, a coordinator with its stores, and a context of the main queue.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Zoo", managedObjectModel: model)
/// container.loadPersistentStores { _, error in … }
/// ```
nonisolated open class NSPersistentContainer: NSObject, @unchecked Sendable {
    // Constants, and state guarded by the lock.
    /// The name of the container, and of its store's file.
    public let name: String
    /// The coordinator of the container's stores.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The context of the main queue. It does not merge automatically, unless set.
    public let viewContext: NSManagedObjectContext
    private let state: Locked<State>

    private struct State {
        var descriptions: [NSPersistentStoreDescription]
        /// Descriptions whose stores were opened.
        var loaded: [NSPersistentStoreDescription] = []
    }

    /// Creates a container with the model of the same name from the program's bundle, or from the resources of one of its targets.
    ///
    /// If there is no such model, it is logged, and the model has no entities.
    /// - Parameter name: the name of the container, its model, and its store's file.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: Self.bundledModel(name))
    }

    /// Creates a container with a model.
    /// - Parameters:
    ///   - name: the name of the container, and of its store's file.
    ///   - model: the model, which cannot be changed from here on.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        state = Locked(State(descriptions: [NSPersistentStoreDescription(url: url)]))
        super.init()
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    }

    private static func bundledModel(_ name: String) -> NSManagedObjectModel {
        if let model = ModelFile.model(named: name, in: ModelFile.programBundles) { return model }
        CoreDataLog.logger.error("Failed to load model named \(name); use init(name:managedObjectModel:).")
        return NSManagedObjectModel()
    }

    /// Returns the folder of stores whose descriptions do not state another place: a folder of the program's own in the user's
    /// application support folder. It is created when the first store is put there.
    open class func defaultDirectoryURL() -> URL { DefaultFolder.url }

    /// The container's model.
    open var managedObjectModel: NSManagedObjectModel { persistentStoreCoordinator.managedObjectModel }

    /// The descriptions of the stores, one for each; set or change them before the stores are loaded. There is one description
    /// of a SQLite store in the default folder, unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { state.withLock { $0.descriptions } }
        set { state.withLock { $0.descriptions = newValue } }
    }

    /// Opens the stores that are not open yet.
    /// - Parameter block: called once for each store, with the error if it could not be opened; at once, unless the description's
    ///   `shouldAddStoreAsynchronously` is set. The errors are those of the coordinator's
    ///   `addPersistentStore(ofType:configurationName:at:options:)`.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions where !isLoaded(description) {
            persistentStoreCoordinator.addPersistentStore(with: description) { [state] description, error in
                if error == nil { state.withLock { $0.loaded.append(description) } }
                block(description, error)
            }
        }
    }

    private func isLoaded(_ description: NSPersistentStoreDescription) -> Bool {
        if let url = description.url, MemoryPlace(url) == nil, description.type != NSInMemoryStoreType {
            return persistentStoreCoordinator.persistentStore(for: url) != nil
        }
        // Stores in memory cannot be identified by their URL.
        return state.withLock { $0.loaded.contains { $0 === description } }
            && persistentStoreCoordinator.persistentStores.contains {
                $0.type == description.type && $0.url == description.url
            }
    }

    /// Returns a new context on a queue of its own, with the container's coordinator. It does not merge automatically, unless set.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Enqueues a block that gets a new context, on the context's queue, and returns at once.
    /// - Parameter block: runs on the context's queue. It saves the context itself.
    @preconcurrency
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.enqueue { block(context) }
    }

    /// Runs a block that gets a new context, on the context's queue, and returns its result without blocking a thread.
    /// - Parameter block: runs on the context's queue. It saves the context itself.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block.
    public func performBackgroundTask<T, E: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(E) -> T
    ) async throws(E) -> T {
        let context = newBackgroundContext()
        return try await context.enqueue { () throws(E) -> T in try block(context) }
    }
}
