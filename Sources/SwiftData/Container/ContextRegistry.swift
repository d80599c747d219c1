import ObjectGraph

/// The live contexts of a container, by their inboxes. Each receives the saves of other contexts in its `Inbox`, and merges
/// them with `Graph.mergeWaitingChanges()`.
final class ContextRegistry: Sendable {
    private struct Entry {
        let inbox: Inbox
        /// Makes the context merge its waiting changes; `nil` if the context may not be used from outside.
        let wake: (@Sendable () -> Void)?
    }

    private let entries = Locked<[Entry]>([])

    func add(_ inbox: Inbox) {
        entries.withLock { $0.append(Entry(inbox: inbox, wake: nil)) }
    }

    func remove(_ inbox: Inbox) {
        entries.withLock { list in list.removeAll { $0.inbox === inbox } }
    }

    /// Registers a way to wake a context. One that can be woken already, as the main context can, stays as it is.
    func wake(_ inbox: Inbox, by wake: @escaping @Sendable () -> Void) {
        entries.withLock { list in
            guard let place = list.firstIndex(where: { $0.inbox === inbox }), list[place].wake == nil else { return }
            list[place] = Entry(inbox: inbox, wake: wake)
        }
    }

    /// Registers the main context so that it merges changes of others as they arrive, and observers of its models stay
    /// current.
    @MainActor
    func mergeOnMainActor(_ context: ModelContext) {
        let inbox = context.graph.inbox
        let reference = MainContextReference(context)
        let wake: @Sendable () -> Void = {
            Task { @MainActor in reference.context?.processPendingChanges() }
        }
        entries.withLock { list in
            list.removeAll { $0.inbox === inbox }
            list.append(Entry(inbox: inbox, wake: wake))
        }
    }

    /// Wakes the contexts that can be woken from here, so that they look for changes to merge.
    func wake() {
        for entry in entries.withLock({ $0 }) { entry.wake?() }
    }

    /// - Parameter sender: The inbox of the context that saved, which has the changes already; `nil` if no context did.
    func post(_ changes: SavedChanges, from sender: Inbox?) {
        guard !changes.isEmpty else { return }
        let others = entries.withLock { list in list.filter { $0.inbox !== sender } }
        for entry in others {
            entry.inbox.post(changes)
            entry.wake?()
        }
    }
}

@MainActor
private final class MainContextReference {
    weak var context: ModelContext?

    init(_ context: ModelContext) {
        self.context = context
    }
}
