import Foundation
import ObjectGraph

/// Notifications of added and removed stores, and concurrent saves by other threads.
extension NSPersistentStoreCoordinator {
    /// Call after a store was added: posts the notification.
    func joined(_ store: NSPersistentStore, _ plan: StorePlan) {
        store.didAdd(to: self)
        store.didOpen()
        post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
    }

    /// Posts the notification while the store can still be written, so that observers can save.
    func willRemove(_ store: NSPersistentStore) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
        store.willRemove(from: self)
    }

    /// Runs a body while no thread writes to the store, which is not written afterwards. Saves that wait meanwhile go to the store
    /// that replaced it, or fail. A store in memory with a name may belong to another coordinator, too, and can still be written.
    func endWriting<Result>(to store: NSPersistentStore, after body: () throws -> Result) throws -> Result {
        guard let engine = store.engine?.writingEnding, !isShared(store) else { return try body() }
        do {
            return try engine.endWriting(after: body)
        } catch let error as StoreAccessError {
            throw ErrorMapping.saving(error, nil)
        }
    }

    private func isShared(_ store: NSPersistentStore) -> Bool {
        guard store.type == NSSQLiteStoreType, case .named? = store.url.flatMap(MemoryPlace.init) else {
            return false
        }
        return true
    }

    /// Call after a store was removed: invalidates its objects and posts the notification.
    func removed(_ store: NSPersistentStore) {
        core.invalidate(objectsOf: store.storeIdentifier)
        store.detachFromCoordinator()
        post(.NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
    }
}
