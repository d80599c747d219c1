import Foundation
import ObjectGraph

/// Saves that were made by other coordinators and containers of this process, or by other processes.
///
/// 1. Saves of containers and other coordinators of the process are detected at once. Saves of other processes are detected within
///    a quarter of a second if `NSPersistentStoreRemoteChangeNotificationPostOptionKey` is set, else at the next save of this
///    process.
/// 2. Contexts that merge automatically merge them, each on its queue.
/// 3. With that option, `NSPersistentStoreRemoteChange` is posted for each, and for writes of the coordinator itself.
extension NSPersistentStoreCoordinator: OpenStoreObserver {
    package final func noticeSaves(in files: Set<String>) {
        for store in ownStores where store.openFile.map({ files.contains($0.name) }) ?? false { store.noticeSaves() }
    }

    /// Detects saves of others, so that contexts merge them before the next change.
    final func noticeSaves() {
        for store in ownStores { store.poller?.pollNow() }
    }

    /// Posts remote changes for writes of the coordinator, and notifies other coordinators and containers that have the files open.
    final func postRemoteChanges(of changes: SavedChanges) {
        postRemoteChanges(ofStores: changes.storeIdentifiers)
    }

    final func postRemoteChanges(ofStores identifiers: Set<String>) {
        let written = ownStores.filter { identifiers.contains($0.storeIdentifier) }
        for store in written { store.postRemoteChange() }
        OpenStoreRegistry.notifyNeighbours(of: self, files: Set(written.compactMap(\.openFile?.name)))
    }
}

extension NSPersistentStore {
    private var postsRemoteChanges: Bool { isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey) }

    /// `nil` for a store that only this coordinator writes, or of a program's own class. It polls only if the store's option is
    /// set.
    final func makePoller() -> RemoteChangePoller? {
        guard let store = engine?.changePolling else { return nil }
        return RemoteChangePoller(store, interval: postsRemoteChanges ? RemoteChangePoller.interval : nil) {
            [weak self] changes in
            self?.persistentStoreCoordinator?.core.contexts.post(changes, from: nil)
        } report: { [weak self] result in
            switch result {
            case .success: self?.postRemoteChange()
            case .failure(let error):
                CoreDataLog.logger.error("What others saved could not be read. \(String(describing: error))")
            }
        }
    }

    /// Called when another coordinator or container of this process has saved.
    fileprivate final func noticeSaves() {
        guard let poller else {
            // A shared store in memory has no file to examine.
            return postRemoteChange()
        }
        if postsRemoteChanges || persistentStoreCoordinator?.core.hasMergingContexts == true { poller.pollNow() }
    }

    fileprivate final func postRemoteChange() {
        guard postsRemoteChanges, let coordinator = persistentStoreCoordinator else { return }
        var userInfo: [String: Any] = [NSStoreUUIDKey: storeIdentifier]
        userInfo[NSPersistentStoreURLKey] = url
        userInfo[NSPersistentHistoryTokenKey] = historyToken()
        coordinator.post(.NSPersistentStoreRemoteChange, userInfo)
    }
}
