import Foundation
import ObjectGraph
import SQLiteStore

/// Stores at another place, or of another type.
extension NSPersistentStoreCoordinator {
    /// Has a store go on at another place. A SQLite store closes its file and opens the one there, which has to exist; other
    /// stores write there with their next save.
    /// - Returns: whether it did; the log says why not.
    @discardableResult
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        do {
            try move(store, to: url)
            return true
        } catch {
            CoreDataLog.logger.error(
                "The store stays at \(store.url?.path ?? "its place"). \(String(describing: error))")
            return false
        }
    }

    private func move(_ store: NSPersistentStore, to url: URL) throws {
        guard let member = core.store.member(identifier: store.storeIdentifier), let old = store.engine else {
            throw CocoaError(.persistentStoreOperation, text: "The store is not one of this coordinator's.")
        }
        guard let sqlite = store.sqlite else {
            store.url = url
            return
        }
        guard case .file = sqlite.location, FileManager.default.fileExists(atPath: url.path) else {
            throw CocoaError(.persistentStoreOpen, text: "There is no store at \(url.path).")
        }
        let new = try SQLiteStore(
            model: sqlite.model, location: .file(url), isReadOnly: sqlite.isReadOnly,
            options: StoreOptions.engineOptions(store.options))
        if let other = core.store.member(identifier: new.identifier), other.store !== old {
            throw CocoaError(
                .persistentStoreOpen, text: "The coordinator has the store \(new.identifier) already, at another place."
            )
        }
        core.store.replace(member, by: new)
        store.attach(new, type: store.type)
        store.url = url
        store.takeMetadata()
        OpenStores.add(self, url)
        store.joinedCoordinator()
        guard old.identifier != new.identifier else { return }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: [store, store]])
    }

    /// Copies a store to another place, or to a store of another type, and takes the copy in its stead; the original stays
    /// where it is. Objects of a SQLite store that becomes another SQLite store keep their identifiers; others get new ones.
    /// - Throws: `CocoaError` 134080 when there is something at the destination, 134000 for a type that there is not.
    /// - Complexity: Of another type, all objects are in memory meanwhile.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        guard url.path.hasPrefix("/dev/null") || !FileManager.default.fileExists(atPath: url.path) else {
            throw CocoaError(.persistentStoreOpen, text: "There is something at \(url.path) already; remove it first.")
        }
        let configuration = store.configurationName
        if storeType == NSSQLiteStoreType, store.type == NSSQLiteStoreType, let source = store.url,
            OpenStores.MemoryPlace(source) == nil, OpenStores.MemoryPlace(url) == nil
        {
            DefaultFolder.prepare(for: url)
            do {
                try StoreFiles.copy(from: source, to: url)
            } catch {
                throw ErrorMapping.saving(error, nil)
            }
            try remove(store)
            do {
                return try addPersistentStore(
                    ofType: storeType, configurationName: configuration, at: url, options: options)
            } catch {
                try addPersistentStore(
                    ofType: store.type, configurationName: configuration, at: source, options: store.options)
                try StoreFiles.remove(at: url)
                throw error
            }
        }
        let copy = try addPersistentStore(
            ofType: storeType, configurationName: configuration, at: url, options: options)
        do {
            try ObjectCopying(from: store, to: copy, core).run()
        } catch {
            try remove(copy)
            throw error
        }
        try remove(store)
        return copy
    }

    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }
}

extension CoordinatorStore {
    func replace(_ member: Member, by store: SQLiteStore) {
        replace(
            identifier: member.store.identifier,
            by: Member(
                store: store, numbers: member.numbers, persistentStore: member.persistentStore,
                batches: member.batches == nil ? nil : store))
    }
}
