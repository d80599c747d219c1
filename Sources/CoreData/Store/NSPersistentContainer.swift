import Foundation
import ObjectGraph

/// A model, its stores and a context of the main queue, made with one line.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Zoo", managedObjectModel: model)
/// container.loadPersistentStores { _, error in … }
/// ```
nonisolated open class NSPersistentContainer: NSObject, @unchecked Sendable {
    // Constants, and what is under the lock.
    public let name: String
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// A context of the main queue.
    public let viewContext: NSManagedObjectContext
    private let state: Locked<State>

    private struct State {
        var descriptions: [NSPersistentStoreDescription]
        /// Those whose stores are open, or were.
        var loaded: [NSPersistentStoreDescription] = []
    }

    /// With the model of that name from the program's bundle, or from the resources of one of its targets; without entities
    /// when there is none, which the log says.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: Self.bundledModel(name))
    }

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

    /// Where stores are unless their descriptions say otherwise: a folder of the program's own among the user's data. It is
    /// made when the first store is put there, not before.
    open class func defaultDirectoryURL() -> URL { DefaultFolder.url }

    open var managedObjectModel: NSManagedObjectModel { persistentStoreCoordinator.managedObjectModel }

    /// One for each store to load; change them before that.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { state.withLock { $0.descriptions } }
        set { state.withLock { $0.descriptions = newValue } }
    }

    /// Opens the stores that are not open yet.
    /// - Parameter block: called once for each.
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
        // Stores in memory are not told apart by their place.
        return state.withLock { $0.loaded.contains { $0 === description } }
            && persistentStoreCoordinator.persistentStores.contains {
                $0.type == description.type && $0.url == description.url
            }
    }

    /// A context with a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs the block with a new context, on its queue.
    @preconcurrency
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.enqueue { block(context) }
    }

    /// Runs the block with a new context, on its queue, and gives what it gives.
    public func performBackgroundTask<T, E: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(E) -> T
    ) async throws(E) -> T {
        let context = newBackgroundContext()
        return try await context.enqueue { () throws(E) -> T in try block(context) }
    }
}
