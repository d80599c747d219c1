import Synchronization

/// Saved changes that a graph has not merged yet. The only part of a graph that other threads may use. Beyond a limit,
/// all entries are replaced with one for unspecified changes, so that the inbox of an unused graph does not grow.
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

    func drain() -> [SavedChanges] {
        waiting.withLock { waiting in
            isWaiting.store(false, ordering: .releasing)
            defer { waiting = Waiting() }
            return Self.withoutLaterDeleted(waiting.list)
        }
    }

    /// Leaves out changes of rows that later changes delete: objects that have read them keep the values that they had.
    private static func withoutLaterDeleted(_ list: [SavedChanges]) -> [SavedChanges] {
        guard list.count > 1 else { return list }
        var deleted = RowSet()
        let kept = list.reversed().map { changes in
            let rest = deleted.isEmpty ? changes : changes.leavingOut(deleted)
            if changes.deletedCount > 0 { deleted.formUnion(changes.deletedRows) }
            return rest
        }
        return kept.reversed()
    }
}
