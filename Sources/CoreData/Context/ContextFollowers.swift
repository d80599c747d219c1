import Foundation
import ObjectGraph

/// What changed in a context, or under it.
enum ContextChange {
    /// These objects came, changed, went, or were read again.
    case objects(Set<NSManagedObject>)
    /// Others changed rows that the context had not read, and deleted rows, read or not.
    case rows(unread: RowSet, deleted: RowSet)
    /// The context has forgotten all that it knew.
    case everything
}

/// Keeps something as a context changes; told on the context's queue.
protocol ContextFollower: AnyObject {
    func follow(_ change: ContextChange)
}

/// Those who follow one context. They are not kept alive by it.
final class ContextFollowers {
    private struct Entry {
        weak var follower: (any ContextFollower)?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.allSatisfy { $0.follower == nil } }

    func add(_ follower: any ContextFollower) {
        entries.removeAll { $0.follower == nil }
        entries.append(Entry(follower: follower))
    }

    func tell(_ change: ContextChange) {
        for entry in entries { entry.follower?.follow(change) }
    }
}

extension NSManagedObjectContext {
    /// What others did to rows of which this context knows nothing; `nil` without followers.
    /// - Complexity: O(n) in the rows that were changed; those deleted are not gone through.
    final func changesBeneath(_ changes: SavedChanges) -> ContextChange? {
        guard !followers.isEmpty else { return nil }
        if changes.isOverflow { return .everything }
        let unread = changes.everyUpdatedID.filter { graph.registeredRecord(for: $0)?.isFault ?? true }
        let deleted = changes.deletedRows
        if unread.isEmpty, deleted.isEmpty { return nil }
        return .rows(unread: RowSet(unread), deleted: deleted)
    }
}
