import Foundation
import ObjectGraph
import SQLiteStore

/// Moving stores to another URL or another type.
extension NSPersistentStoreCoordinator {
    /// Changes the URL of a store. A SQLite store closes its file and opens the one at the new URL, which must exist; other
    /// stores write there at their next save.
    /// - Parameters:
    ///   - url: the new URL.
    ///   - store: a store of this coordinator.
    /// - Returns: Whether the URL was changed; if not, the reason is logged.
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
        guard let member = core.stores.member(identifier: store.storeIdentifier), let old = store.engine else {
            throw CocoaError(.persistentStoreOperation, text: "The store is not one of this coordinator's.")
        }
        guard let keeping = store.metadataKeeping else {
            store.url = url
            store.didOpen()
            return
        }
        guard keeping.fileURL != nil, FileManager.default.fileExists(atPath: url.path) else {
            throw CocoaError(.persistentStoreOpen, text: "There is no store at \(url.path).")
        }
        let new = try endWriting(to: store) {
            let new = try Self.open(url, inPlaceOf: old, store.options)
            if let other = core.stores.member(identifier: new.identifier), other.store !== old {
                throw CocoaError(
                    .persistentStoreOpen,
                    text: "The coordinator has the store \(new.identifier) already, at another place.")
            }
            core.replaceStore(identifier: member.identifier, by: new)
            store.attach(new, type: store.type)
            store.url = url
            return new
        }
        store.readMetadata()
        store.didOpen()
        guard old.identifier != new.identifier else { return }
        post(.NSPersistentStoreCoordinatorStoresDidChange, [NSUUIDChangedPersistentStoresKey: [store, store]])
    }

    /// Copies a store to another URL, or to a store of another type, and uses the copy in its place. The original's file stays.
    ///
    /// Objects of a SQLite store that is copied to another SQLite store keep their identifiers; others get new ones. Saves by
    /// other threads wait meanwhile, and then go to the copy, or fail where their objects have other identifiers there.
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - url: the URL of the copy.
    ///   - options: the options of the copy.
    ///   - storeType: the type of the copy.
    /// - Returns: The new store.
    /// - Throws: `CocoaError` 134080 if there is a file at the URL, 134000 for an unknown type, 134070 for a store of another
    ///   coordinator, and errors of copying and opening. The coordinator's stores are unchanged then, and there is nothing at
    ///   the URL.
    /// - Complexity: To another type, all objects are in memory at once.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try migrate(store, to: url, options, withType: storeType)
    }

    /// - Parameter copied: called when the copy is complete and does not replace the original yet.
    func migrate(
        _ store: NSPersistentStore, to url: URL, _ options: [AnyHashable: Any]?, withType storeType: String,
        copied: () throws -> Void = {}
    ) throws -> NSPersistentStore {
        try requireOwn(store)
        guard MemoryPlace(url) != nil || !FileManager.default.fileExists(atPath: url.path) else {
            throw CocoaError(.persistentStoreOpen, text: "There is something at \(url.path) already; remove it first.")
        }
        let plan = try storePlan(storeType, store.configurationName, url, options)
        if let file = fileToCopy(store, plan) { return try copyFile(file, of: store, plan, copied) }
        return try removingFiles(at: url) { try copyObjects(of: store, plan, copied) }
    }

    /// The file to copy; `nil` if the objects must be copied one by one.
    private func fileToCopy(_ store: NSPersistentStore, _ plan: StorePlan) -> URL? {
        guard plan.type == NSSQLiteStoreType, store.type == NSSQLiteStoreType, let source = store.url,
            MemoryPlace(source) == nil, plan.url.flatMap(MemoryPlace.init) == nil
        else { return nil }
        return source
    }

    /// The copy replaces the store once it is open.
    private func copyFile(
        _ file: URL, of store: NSPersistentStore, _ plan: StorePlan, _ copied: () throws -> Void
    ) throws -> NSPersistentStore {
        willRemove(store)
        let url = plan.url ?? file
        let new = try endWriting(to: store) {
            try copy(file, to: url)
            return try removingFiles(at: url) {
                let new = try opened(plan)
                try copied()
                try takePlace(of: store, new, plan)
                return new
            }
        }
        removed(store)
        joined(new, plan)
        return new
    }

    private func copy(_ file: URL, to url: URL) throws {
        DefaultFolder.prepare(for: url)
        do {
            try StoreFiles.copy(from: file, to: url)
        } catch {
            throw ErrorMapping.saving(error, nil)
        }
    }

    private func copyObjects(
        of store: NSPersistentStore, _ plan: StorePlan, _ copied: () throws -> Void
    ) throws -> NSPersistentStore {
        let copy = try opened(plan)
        try join(copy, plan)
        do {
            willRemove(store)
            try endWriting(to: store) {
                try ObjectCopying(from: store, to: copy, core).run()
                try copied()
                detach(store)
            }
        } catch {
            try remove(copy)
            throw error
        }
        removed(store)
        return copy
    }

    /// Removes the files of a store that could not be made at an empty place.
    private func removingFiles<Result>(at url: URL, unless body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            removeFiles(at: url)
            throw error
        }
    }

    private func removeFiles(at url: URL) {
        guard url.isFileURL, MemoryPlace(url) == nil else { return }
        do {
            try StoreFiles.remove(at: url)
        } catch {
            CoreDataLog.logger.error("What was made at \(url.path) stays there. \(String(describing: error))")
        }
    }

    /// Copies a store to another URL, or to a store of another type, and uses the copy in its place. The original's file stays.
    ///
    /// Objects of a SQLite store that is copied to another SQLite store keep their identifiers; others get new ones. Saves by
    /// other threads wait meanwhile, and then go to the copy, or fail where their objects have other identifiers there.
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - storeURL: the URL of the copy.
    ///   - options: the options of the copy.
    ///   - type: the type of the copy.
    /// - Returns: The new store.
    /// - Throws: `CocoaError` 134080 if there is a file at the URL, 134000 for an unknown type, 134070 for a store of another
    ///   coordinator, and errors of copying and opening. The coordinator's stores are unchanged then, and there is nothing at
    ///   the URL.
    /// - Complexity: To another type, all objects are in memory at once.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }
}
