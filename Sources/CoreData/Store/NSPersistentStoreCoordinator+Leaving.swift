import Foundation
import ObjectGraph
import SQLiteStore

/// Adding and removing stores: notifications, and saves by other threads meanwhile.
extension NSPersistentStoreCoordinator {
    /// To be called when a store has been added: notifies of it.
    func joined(_ store: NSPersistentStore, _ plan: StorePlan) {
        store.didAdd(to: self)
        store.didOpen()
        OpenFiles.add(self)
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSAddedPersistentStoresKey: [store]])
    }

    /// Posted while the store can be written, so that observers can save.
    func willRemove(_ store: NSPersistentStore) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
        store.willRemove(from: self)
    }

    /// Runs a body while no thread writes to the store, which is not written to afterwards. Saves that wait meanwhile then go to
    /// the store that took its place, or fail. A store in memory that has a name may be another coordinator's as well, and is
    /// written on.
    func endWriting<Result>(to store: NSPersistentStore, after body: () throws -> Result) throws -> Result {
        guard let sqlite = store.sqlite, !isShared(store) else { return try body() }
        do {
            return try sqlite.endWriting(after: body)
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

    /// To be called when a store has been removed: its objects become invalid, and its removal is notified.
    func removed(_ store: NSPersistentStore) {
        core.invalidate(objectsOf: store.storeIdentifier)
        store.leaveCoordinator()
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }
}
