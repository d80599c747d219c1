/// A context, as other contexts and stores see it on any thread.
package protocol LiveContext: AnyObject, Sendable {
    /// Receives the saved changes of others.
    var inbox: Inbox { get }
    /// Whether the context merges saves of others without being asked to.
    var mergesAutomatically: Bool { get }
    /// Makes the context merge the changes in its inbox, where and when its face uses it. Does nothing for a context
    /// that may not be used from outside: it merges them when it is next used.
    func wake()
}

/// Not nested in the generic class, so that posting a save needs no types made at run time.
private struct ContextEntry {
    weak var context: (any LiveContext)?
}

/// The live contexts of a container or coordinator, or the children of a context, to be notified of saves.
package final class ContextRegistry<Context: LiveContext>: Sendable {
    private let entries = Locked<[ContextEntry]>([])

    package init() {}

    /// - Parameter context: Is not retained.
    package func add(_ context: Context) {
        entries.withLock { list in
            list.removeAll { $0.context == nil || $0.context === context }
            list.append(ContextEntry(context: context))
        }
    }

    package func remove(_ context: Context) {
        entries.withLock { $0.removeAll { $0.context == nil || $0.context === context } }
    }

    package var all: [Context] { live.compactMap { $0 as? Context } }

    private var live: [any LiveContext] { entries.withLock { $0.compactMap(\.context) } }

    /// Wakes all contexts, so that they look for changes to merge.
    package func wake() {
        for context in live { context.wake() }
    }

    /// Passes changes to the contexts that merge automatically, and to their descendants after them.
    /// - Parameter sender: The inbox of the context that saved, which has the changes already; `nil` if no context did.
    package func post(_ changes: SavedChanges, from sender: Inbox?) {
        guard !changes.isEmpty else { return }
        for context in live where context.inbox !== sender && context.mergesAutomatically {
            context.inbox.post(changes, for: .automatic)
            context.wake()
        }
    }
}
