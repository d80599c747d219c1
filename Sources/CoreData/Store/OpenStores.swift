import Foundation
import ObjectGraph
import SQLiteStore

/// Stores of this process by place: those in memory that have a name, so that coordinators can share one, and the
/// coordinators that have a file open, so that each learns what the others wrote.
enum OpenStores {
    private struct Shared {
        weak var store: SQLiteStore?
    }

    private struct Opened {
        weak var coordinator: NSPersistentStoreCoordinator?
        let place: String
    }

    private struct State {
        var shared: [String: Shared] = [:]
        var opened: [Opened] = []
    }

    private static let state = Locked(State())

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

    /// - Parameter make: opens the store where there is none of that name.
    static func shared(_ name: String, model: Model, make: () throws -> SQLiteStore) throws -> SQLiteStore {
        try state.withLock { state in
            if let store = state.shared[name]?.store, store.model.versionHashes == model.versionHashes,
                store.model.numbersEntities(as: model)
            {
                return store
            }
            let store = try make()
            state.shared[name] = Shared(store: store)
            return store
        }
    }

    static func place(of url: URL?) -> String? {
        url.map(OpenFiles.name)
    }

    static func add(_ coordinator: NSPersistentStoreCoordinator, _ url: URL?) {
        guard let place = place(of: url) else { return }
        state.withLock { state in
            state.opened.removeAll { $0.coordinator == nil }
            state.opened.append(Opened(coordinator: coordinator, place: place))
        }
    }

    static func coordinators(at url: URL?) -> [NSPersistentStoreCoordinator] {
        guard let place = place(of: url) else { return [] }
        var found: [NSPersistentStoreCoordinator] = []
        for case let coordinator? in state.withLock({ $0.opened.filter { $0.place == place }.map(\.coordinator) })
        where !found.contains(where: { $0 === coordinator }) {
            found.append(coordinator)
        }
        return found
    }
}
