import Foundation
import ObjectGraph
import SQLiteStore

/// Saves that were not made through the coordinator, by others of this process or by other processes.
///
/// 1. What containers and other coordinators of the process save is noticed when they have saved, what other processes save
///    within a quarter of a second where `NSPersistentStoreRemoteChangeNotificationPostOptionKey` is set, else with the next
///    save of this process.
/// 2. Contexts that merge by themselves take it in, each on its queue.
/// 3. With that option, `NSPersistentStoreRemoteChange` is posted for each, and for what the coordinator itself writes.
extension NSPersistentStoreCoordinator: FileNeighbour {
    package final var openFiles: Set<String> { Set(ownStores.compactMap(\.openFile)) }

    package final func noticeSaves(in files: Set<String>) {
        for store in ownStores where store.openFile.map(files.contains) ?? false { store.noticeSaves() }
    }

    /// Notices what others have saved, so that contexts take it in before what comes next.
    final func noticeSaves() {
        for store in ownStores { store.lookout?.lookNow() }
    }

    /// Posts what the coordinator has written, and notifies others that have the files open.
    final func postRemoteChanges(of changes: SavedChanges) {
        postRemoteChanges(ofStores: changes.storeIdentifiers)
    }

    final func postRemoteChanges(ofStores identifiers: Set<String>) {
        let written = ownStores.filter { identifiers.contains($0.storeIdentifier) }
        for store in written { store.postRemoteChange() }
        OpenFiles.notifyNeighbours(of: self, files: Set(written.compactMap(\.openFile)))
    }
}

extension NSPersistentStore {
    private var postsRemoteChanges: Bool { isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey) }

    /// `nil` for a store that only this coordinator writes, or of a program's own class. It looks by itself only where that was
    /// asked for.
    final func makeLookout() -> StoreLookout? {
        guard let sqlite, case .file = sqlite.location else { return nil }
        return StoreLookout(sqlite, interval: postsRemoteChanges ? StoreLookout.interval : nil) { [weak self] changes in
            self?.persistentStoreCoordinator?.core.mergeByThemselves(changes)
        } tell: { [weak self] result in
            switch result {
            case .success: self?.postRemoteChange()
            case .failure(let error):
                CoreDataLog.logger.error("What others saved could not be read. \(String(describing: error))")
            }
        }
    }

    /// Others of this process have saved.
    fileprivate final func noticeSaves() {
        guard let lookout else {
            // In memory, and shared: there is nothing to look at.
            return postRemoteChange()
        }
        if postsRemoteChanges || persistentStoreCoordinator?.core.hasMergingContexts == true { lookout.lookNow() }
    }

    fileprivate final func postRemoteChange() {
        guard postsRemoteChanges, let coordinator = persistentStoreCoordinator else { return }
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeIdentifier]
        userInfo[NSPersistentStoreURLKey] = url
        userInfo[NSPersistentHistoryTokenKey] = historyToken()
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
}
