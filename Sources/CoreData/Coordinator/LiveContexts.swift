import ObjectGraph

/// The contexts of a coordinator, or the children of a context, to be notified of saves. A context with a parent is only among
/// the children of the parent.
final class LiveContexts: Sendable {
    private struct Entry {
        weak var context: NSManagedObjectContext?
    }

    private let entries = Locked<[Entry]>([])

    func add(_ context: NSManagedObjectContext) {
        entries.withLock { list in
            list.removeAll { $0.context == nil || $0.context === context }
            list.append(Entry(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        entries.withLock { $0.removeAll { $0.context == nil || $0.context === context } }
    }

    var all: [NSManagedObjectContext] { entries.withLock { $0.compactMap(\.context) } }
}
