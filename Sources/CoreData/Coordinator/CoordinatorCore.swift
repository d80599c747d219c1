import AppleFormats
import Foundation
import ObjectGraph
import StoreDeletion

/// The part of a coordinator that contexts and identifiers use. They retain it, so that they may outlive the coordinator.
final class CoordinatorCore: Sendable {
    let tables: ModelTables
    let stores: StoreGroup
    let contexts = ContextRegistry<NSManagedObjectContext>()
    let delegateReference = DeletionDelegateReference()
    private let coordinator = Locked(WeakCoordinator())
    /// The open stores by identifier.
    private let persistentStores = Locked<[String: OpenedStore]>([:])

    /// The coordinator's information about a store beside its rows.
    private struct OpenedStore {
        let store: WeakStore
        let takesBatchRequests: Bool
    }

    private struct WeakCoordinator {
        weak var coordinator: NSPersistentStoreCoordinator?
    }

    init(tables: ModelTables) {
        self.tables = tables
        stores = StoreGroup(model: tables.model)
    }

    var model: Model { tables.model }

    func belongs(to coordinator: NSPersistentStoreCoordinator) {
        self.coordinator.withLock { $0.coordinator = coordinator }
    }

    var owner: NSPersistentStoreCoordinator? { coordinator.withLock { $0.coordinator } }

    // MARK: Stores

    /// - Returns: `false`, and nothing is added, if the store is added already.
    func add(_ engine: any Store, of store: NSPersistentStore, takesBatchRequests: Bool) -> Bool {
        persistentStores.withLock { opened in
            guard stores.add(engine) else { return false }
            opened[engine.identifier] = OpenedStore(
                store: WeakStore(store: store), takesBatchRequests: takesBatchRequests)
            return true
        }
    }

    func removeStore(identifier: String) {
        stores.remove(identifier: identifier)
        persistentStores.withLock { $0[identifier] = nil }
    }

    /// Replaces a store's file by another one.
    func replaceStore(identifier: String, by engine: any Store) {
        persistentStores.withLock { opened in
            let former = opened.removeValue(forKey: identifier)
            opened[engine.identifier] = former
            stores.replace(identifier: identifier, by: engine)
        }
    }

    /// Replaces a store by another one.
    func replaceStore(
        identifier: String, by engine: any Store, of store: NSPersistentStore, takesBatchRequests: Bool
    ) {
        persistentStores.withLock { opened in
            opened[identifier] = nil
            opened[engine.identifier] = OpenedStore(
                store: WeakStore(store: store), takesBatchRequests: takesBatchRequests)
            stores.replace(identifier: identifier, by: engine)
        }
    }

    func persistentStore(identifier: String) -> NSPersistentStore? {
        persistentStores.withLock { $0[identifier] }?.store.store
    }

    /// Writes changed metadata of the files.
    func saveMetadata() throws {
        for member in stores.members { try member.store.metadataKeeping?.saveMetadata() }
    }

    /// The store, if it supports batch requests.
    func batchStore(_ member: StoreGroup.Member) -> (any BatchStore)? {
        let takesRequests = persistentStores.withLock { $0[member.identifier] }?.takesBatchRequests ?? false
        return takesRequests ? member.store.batchStore : nil
    }
}

/// A weak reference to a persistent store.
struct WeakStore: @unchecked Sendable {
    // Weak references may be read from any thread; the store's mutable state is guarded by its own locks.
    weak var store: NSPersistentStore?
}
