import Foundation
import ObjectGraph
import SQLiteStore

/// Opening SQLite stores, in files and in memory.
extension NSPersistentStoreCoordinator {
    /// - Throws: `CocoaError` 134000 for an unknown type, 134080 without a URL, and errors of migrating and opening.
    func openStore(_ plan: StorePlan) throws -> NSPersistentStore {
        NSPersistentStore(
            try openEngine(plan), type: plan.type, configuration: plan.configuration, url: plan.url,
            options: plan.options, coordinator: self)
    }

    private func openEngine(_ plan: StorePlan) throws -> any Store {
        switch plan.type {
        case NSInMemoryStoreType: return try Self.open(.memory, plan)
        case NSSQLiteStoreType:
            guard let url = plan.url else {
                throw CocoaError(.persistentStoreOpen, text: "A SQLite store has a file; give its URL.")
            }
            switch MemoryPlace(url) {
            case .nameless?: return try Self.open(.memory, plan)
            case .named(let name)?:
                return try SharedMemoryStores.store(name, model: plan.model) { try Self.open(.memory, plan) }
            case nil:
                try StoreOpeningMigration(
                    url: url, model: plan.model, described: managedObjectModel, options: plan.options
                ).run()
                return try Self.open(.file(url), plan)
            }
        default:
            throw CocoaError(
                .persistentStoreInvalidType,
                text: "There are no stores of type '\(plan.type)' here; use NSSQLiteStoreType or NSInMemoryStoreType.")
        }
    }

    /// Opens a store, and analyses and compacts it if the options state it. A store in memory can always be written.
    private static func open(_ location: Connection.Location, _ plan: StorePlan) throws -> SQLiteStore {
        let options = plan.options
        let isFile = if case .file = location { true } else { false }
        let isReadOnly = isFile && StoreOptions.isOn(NSReadOnlyPersistentStoreOption, options)
        let store = try SQLiteStore(
            model: plan.model, location: location, isReadOnly: isReadOnly, options: StoreOptions.engineOptions(options))
        if store.isReadOnly { return store }
        if StoreOptions.isOn(NSSQLiteAnalyzeOption, options) { try store.analyze() }
        if StoreOptions.isOn(NSSQLiteManualVacuumOption, options) { try store.compact() }
        return store
    }

    /// Opens another file in place of a store's.
    static func open(_ url: URL, inPlaceOf former: any Store, _ options: [AnyHashable: Any]?) throws -> any Store {
        try SQLiteStore(
            model: former.model, location: .file(url), isReadOnly: former.isReadOnly,
            options: StoreOptions.engineOptions(options))
    }
}

extension StoreOptions {
    /// - Throws: `StorePragmaError`.
    static func engineOptions(_ options: [AnyHashable: Any]?) throws -> SQLiteStore.Options {
        var engine = SQLiteStore.Options()
        let recordsHistory = isOn(NSPersistentHistoryTrackingKey, options)
        engine.derivations = .mustBeComputed
        engine.history = recordsHistory ? .with : .without
        engine.existingHistory = recordsHistory ? .begun : .openedReadOnly
        engine.pragmas = try StorePragmas(pragmas(options))
        if let seconds = number(NSPersistentStoreTimeoutOption, options), seconds > 0 { engine.busyTimeout = seconds }
        if let count = number(NSPersistentStoreConnectionPoolMaxSizeKey, options), count >= 1, count <= 64 {
            engine.readerLimit = Int(count)
        }
        return engine
    }
}
