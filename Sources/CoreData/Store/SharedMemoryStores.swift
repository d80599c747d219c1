import Foundation
import ObjectGraph

/// The URL of a SQLite store in memory: `/dev/null` without a name, `/dev/null/<name>` shared within the process.
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

/// The stores in memory with a name, which coordinators can share.
enum SharedMemoryStores {
    private struct Entry {
        weak var store: (any Store)?
    }

    private static let entries = Locked<[String: Entry]>([:])

    /// - Parameter make: opens the store if there is none with the name.
    static func store(_ name: String, model: Model, make: () throws -> any Store) throws -> any Store {
        try entries.withLock { entries in
            if let store = entries[name]?.store, store.model.versionHashes == model.versionHashes { return store }
            let store = try make()
            entries[name] = Entry(store: store)
            return store
        }
    }
}
