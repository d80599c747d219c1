import Synchronization

/// Changes waiting for a graph. The one part of a graph that other threads may use. A graph that is not used for long
/// does not pile up what others save: past a limit, one entry says that anything may have changed.
package final class Inbox: Sendable {
    private struct Waiting {
        private(set) var list: [SavedChanges] = []
        private var weight = 0

        mutating func append(_ changes: SavedChanges) {
            list.append(changes)
            weight += changes.count
            if weight > Inbox.mostObjects { (list, weight) = ([.overflow], SavedChanges.overflow.count) }
        }
    }

    private let waiting = Locked(Waiting())
    private static let mostObjects = 10_000
    private let isWaiting = Atomic<Bool>(false)

    package func post(_ changes: SavedChanges) {
        waiting.withLock { $0.append(changes) }
        isWaiting.store(true, ordering: .releasing)
    }

    package var isEmpty: Bool { !isWaiting.load(ordering: .acquiring) }

    func takeAll() -> [SavedChanges] {
        waiting.withLock { waiting in
            isWaiting.store(false, ordering: .releasing)
            defer { waiting = Waiting() }
            return waiting.list
        }
    }
}
