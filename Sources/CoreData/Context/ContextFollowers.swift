import Foundation
import ObjectGraph

/// A change of a context's objects, or of rows below the context.
enum ContextChange {
    /// These objects were inserted, changed, deleted or read again.
    case objects(Set<NSManagedObject>)
    /// Rows were changed that the context had not read, and rows were deleted, read or not.
    case rows(unread: RowSet, deleted: RowSet)
    /// The context was reset.
    case everything
}

/// An object that tracks a context's changes; called on the context's queue.
protocol ContextFollower: AnyObject {
    func follow(_ change: ContextChange)
}

/// The followers of one context, which does not retain them.
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

    func notify(_ change: ContextChange) {
        for entry in entries { entry.follower?.follow(change) }
    }
}

extension NSManagedObjectContext {
    /// The changes of rows that are not registered in this context; `nil` without followers.
    /// - Complexity: O(n) in the changed rows; deleted rows are not iterated.
    final func changesBeneath(_ changes: SavedChanges) -> ContextChange? {
        guard !followers.isEmpty else { return nil }
        if changes.isOverflow { return .everything }
        let unread = changes.everyUpdatedID.filter { graph.registeredRecord(for: $0)?.isFault ?? true }
        let deleted = changes.deletedRows
        if unread.isEmpty, deleted.isEmpty { return nil }
        return .rows(unread: RowSet(unread), deleted: deleted)
    }
}
