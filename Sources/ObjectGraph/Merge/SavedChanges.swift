import Synchronization

/// What one save did, as values that may cross threads: the input of `Graph.merge`.
package struct SavedChanges: Sendable {
    package var inserted: [ObjectID] = []
    /// The rows as they are now.
    package var updated: [Snapshot] = []
    package var deleted: [ObjectID] = []

    package init() {}

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// Changes waiting for a graph. The one part of a graph that other threads may use.
package final class Inbox: Sendable {
    private let waiting = Locked<[SavedChanges]>([])
    private let isWaiting = Atomic<Bool>(false)

    package func post(_ changes: SavedChanges) {
        waiting.withLock { $0.append(changes) }
        isWaiting.store(true, ordering: .releasing)
    }

    package var isEmpty: Bool { !isWaiting.load(ordering: .acquiring) }

    func takeAll() -> [SavedChanges] {
        waiting.withLock { list in
            isWaiting.store(false, ordering: .releasing)
            defer { list = [] }
            return list
        }
    }
}
