import Foundation
import ObjectGraph
import SQLiteStore

/// SQLite in memory: nameless under `/dev/null`, shared within the process under `/dev/null/<name>`.
enum MemoryPlace {
    case nameless
    case named(String)

    /// - Returns: `nil` for a real file.
    init?(_ url: URL) {
        let path = url.path
        if path == "/dev/null" {
            self = .nameless
        } else if path.hasPrefix("/dev/null/") {
            self = .named(path)
        } else {
            return nil
        }
    }
}

/// The stores in memory that have a name, so that coordinators can share one.
enum SharedMemoryStores {
    private struct Entry {
        weak var store: SQLiteStore?
    }

    private static let entries = Locked<[String: Entry]>([:])

    /// - Parameter make: opens the store where there is none of that name.
    static func store(_ name: String, model: Model, make: () throws -> SQLiteStore) throws -> SQLiteStore {
        try entries.withLock { entries in
            if let store = entries[name]?.store, store.model.versionHashes == model.versionHashes { return store }
            let store = try make()
            entries[name] = Entry(store: store)
            return store
        }
    }
}
