import Synchronization

/// What one save did, as values that may cross threads: the input of `Graph.merge`.
package struct SavedChanges: Sendable {
    package var inserted: [ObjectID] = []
    /// The rows as they are now.
    package var updated: [Snapshot] = []
    /// Rows known to have changed whose values are not at hand.
    package var updatedIDs: [ObjectID] = []
    package var deleted: [ObjectID] = []
    /// Stands for more changes than were kept: anything may have changed.
    package private(set) var isOverflow = false

    package init() {}

    /// Anything may have changed.
    package static let overflow: SavedChanges = {
        var changes = SavedChanges()
        changes.isOverflow = true
        return changes
    }()

    var count: Int { inserted.count + updated.count + updatedIDs.count + deleted.count }

    package var isEmpty: Bool { count == 0 && !isOverflow }
}

/// Changes waiting for a graph. The one part of a graph that other threads may use. A graph that is not used for long
/// does not pile up what others save: past a limit it is only told that anything may have changed.
package final class Inbox: Sendable {
    private let waiting = Locked<[SavedChanges]>([])
    private static let mostObjects = 10_000
    private let isWaiting = Atomic<Bool>(false)

    package func post(_ changes: SavedChanges) {
        waiting.withLock { list in
            list.append(changes)
            if list.reduce(0, { $0 + $1.count }) > Self.mostObjects { list = [.overflow] }
        }
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
