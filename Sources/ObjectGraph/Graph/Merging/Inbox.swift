import Synchronization

/// Saved changes that a graph has not merged yet. The only part of a graph that other threads may use. Beyond a limit,
/// all entries are replaced with one for unspecified changes, so that the inbox of an unused graph does not grow.
package final class Inbox: Sendable {
    /// What the limit applies to.
    package enum Limit: Sendable {
        /// All that waits: more changes are not worth merging one by one.
        case everything
        /// Several saves that wait together. One save alone is kept, because its objects are to be listed.
        case severalSaves
    }

    /// The contexts that merge changes.
    package enum Recipients: Int, Sendable, Comparable {
        /// The context alone.
        case context
        /// After it, its descendants that merge automatically.
        case automatic
        /// After it, all its descendants.
        case descendants

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    struct Entry: Sendable {
        var changes: SavedChanges
        let recipients: Recipients

        init(_ changes: SavedChanges, for recipients: Recipients = .context) {
            self.changes = changes
            self.recipients = recipients
        }
    }

    private struct Waiting {
        private var list: ArraySlice<Entry> = []
        private var weight = 0
        /// Whether rows that later changes delete have been left out.
        private var isCombined = false

        var count: Int { list.count }

        mutating func append(_ entry: Entry, _ limit: Limit) {
            list.append(entry)
            weight += entry.changes.count
            isCombined = false
            guard weight > Inbox.mostObjects, limit == .everything || list.count > 1 else { return }
            let recipients = list.map(\.recipients).max() ?? entry.recipients
            list = [Entry(.overflow, for: recipients)]
            weight = SavedChanges.overflow.count
        }

        mutating func popFirst() -> Entry? {
            if !isCombined { list = Inbox.withoutLaterDeleted(list) }
            isCombined = true
            let first = list.popFirst()
            if list.isEmpty { self = Waiting() } else if let first { weight -= first.changes.count }
            return first
        }
    }

    private let waiting = Locked(Waiting())
    private let limit: Limit
    private static let mostObjects = 10_000
    private let isWaiting = Atomic<Bool>(false)

    package init(limit: Limit = .everything) { self.limit = limit }

    package func post(_ changes: SavedChanges, for recipients: Recipients = .context) {
        waiting.withLock { waiting in
            waiting.append(Entry(changes, for: recipients), limit)
            isWaiting.store(true, ordering: .releasing)
        }
    }

    package var isEmpty: Bool { !isWaiting.load(ordering: .acquiring) }

    var count: Int { isEmpty ? 0 : waiting.withLock { $0.count } }

    /// Returns and removes the oldest entry.
    func next() -> Entry? {
        waiting.withLock { waiting in
            let first = waiting.popFirst()
            if waiting.count == 0 { isWaiting.store(false, ordering: .releasing) }
            return first
        }
    }

    /// Leaves out changes of rows that later changes delete: objects that have read them keep the values that they had.
    private static func withoutLaterDeleted(_ list: ArraySlice<Entry>) -> ArraySlice<Entry> {
        guard list.count > 1 else { return list }
        var deleted = RowSet()
        var kept = list
        for index in kept.indices.reversed() {
            let changes = kept[index].changes
            if !deleted.isEmpty { kept[index].changes = changes.leavingOut(deleted) }
            if changes.deletedCount > 0 { deleted.formUnion(changes.deletedRows) }
        }
        return kept
    }
}
