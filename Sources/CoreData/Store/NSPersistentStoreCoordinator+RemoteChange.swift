import Foundation
import ObjectGraph
import SQLiteStore

extension NSPersistentStoreCoordinator {
    /// Tells, for every store that was written to, all coordinators of this process that have it open and want to know.
    final func postRemoteChanges(of changes: SavedChanges) {
        var identifiers = Set(
            (changes.inserted + changes.everyUpdatedID + changes.deleted).compactMap(\.storeIdentifier))
        for space in changes.planned.deleted.keysBySpace.keys {
            if let identifier = space.storeIdentifier { identifiers.insert(identifier) }
        }
        for store in persistentStores where identifiers.contains(store.storeIdentifier) {
            Self.postRemoteChange(of: store)
        }
        tellNeighbours(identifiers)
    }

    /// Containers of SwiftData on the same files look at once.
    private func tellNeighbours(_ identifiers: Set<String>) {
        let files = persistentStores.filter { identifiers.contains($0.storeIdentifier) }.compactMap(\.url)
        OpenFiles.tellNeighbours(of: self, files: Set(files.map(OpenFiles.name)))
    }

    static func postRemoteChange(of store: NSPersistentStore) {
        let others = OpenStores.coordinators(at: store.url)
        let own = store.persistentStoreCoordinator
        let all = others.contains { $0 === own } ? others : others + [own].compactMap { $0 }
        for coordinator in all {
            for candidate in coordinator.persistentStores
            where candidate.storeIdentifier == store.storeIdentifier
                && candidate.isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey)
            {
                var userInfo: [String: Any] = [NSStoreUUIDKey: candidate.storeIdentifier]
                userInfo[NSPersistentStoreURLKey] = candidate.url
                userInfo[NSPersistentHistoryTokenKey] = candidate.historyToken()
                NotificationCenter.default.post(
                    name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
            }
        }
    }
}
