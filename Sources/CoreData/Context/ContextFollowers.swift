import Foundation
import ObjectGraph

/// What changed in a context, or under it.
enum ContextChange {
    /// These objects came, changed, went, or were read again.
    case objects(Set<NSManagedObject>)
    /// Others changed these rows, which the context had not read.
    case unreadRows(RowSet)
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
    /// Rows among those that others changed of which this context has read nothing, where anybody wants to know.
    final func unreadRows(among changes: RemoteChanges) -> RowSet {
        guard !followers.isEmpty else { return RowSet() }
        return RowSet(
            (changes.updated + changes.deleted.ids).filter { graph.registeredRecord(for: $0)?.isFault ?? true })
    }
}
