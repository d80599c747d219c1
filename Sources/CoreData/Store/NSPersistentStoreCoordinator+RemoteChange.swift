import Foundation
import ObjectGraph
import SQLiteStore

/// Telling of writes to a store, whoever wrote.
///
/// 1. Asked for by `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, per store.
/// 2. Writes of the coordinator itself are told by the thread that wrote, once they are on the file.
/// 3. Writes of others, of this process and of other processes, are told once each, by a lookout of the store's own. It
///    looks every quarter of a second, and at once when another coordinator of this process wrote.
extension NSPersistentStoreCoordinator {
    /// Tells of every store that was written to.
    final func postRemoteChanges(of changes: SavedChanges) {
        postRemoteChanges(ofStores: changes.storeIdentifiers)
    }

    final func postRemoteChanges(ofStores identifiers: Set<String>) {
        for store in persistentStores where identifiers.contains(store.storeIdentifier) {
            store.postRemoteChange()
            Self.tellNeighbours(of: store)
        }
        tellNeighbours(identifiers)
    }

    /// Containers of SwiftData on the same files look at once.
    private func tellNeighbours(_ identifiers: Set<String>) {
        let files = persistentStores.filter { identifiers.contains($0.storeIdentifier) }.compactMap(\.url)
        OpenFiles.tellNeighbours(of: self, files: Set(files.map(OpenFiles.name)))
    }

    private static func tellNeighbours(of store: NSPersistentStore) {
        for coordinator in OpenStores.coordinators(at: store.url)
        where coordinator !== store.persistentStoreCoordinator {
            for neighbour in coordinator.persistentStores where neighbour.storeIdentifier == store.storeIdentifier {
                neighbour.noticeRemoteChange()
            }
        }
    }
}

extension NSPersistentStore {
    /// The store's lookout, if it is to have one: a store in memory has no others.
    final func makeLookout() -> StoreLookout? {
        guard isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey), let sqlite, case .file = sqlite.location
        else { return nil }
        return StoreLookout(sqlite) { [weak self] result in
            switch result {
            case .success: self?.postRemoteChange()
            case .failure(let error):
                CoreDataLog.logger.error("What others saved could not be read. \(String(describing: error))")
            }
        }
    }

    /// Another coordinator of this process wrote.
    fileprivate final func noticeRemoteChange() {
        if let lookout {
            lookout.lookNow()
        } else {
            // In memory, and shared: there is nothing to look at, and nobody else to be told twice by.
            postRemoteChange()
        }
    }

    fileprivate final func postRemoteChange() {
        guard isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey), let coordinator = persistentStoreCoordinator
        else { return }
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeIdentifier]
        userInfo[NSPersistentStoreURLKey] = url
        userInfo[NSPersistentHistoryTokenKey] = historyToken()
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
}
