import ObjectGraph

/// The live contexts of a container, by their inboxes, so that each learns what the others saved.
final class ContextRegistry: Sendable {
    private struct Entry {
        let inbox: Inbox
        /// Takes in what waits, where the context allows that from outside.
        let wake: (@Sendable () -> Void)?
    }

    private let entries = Locked<[Entry]>([])

    func add(_ inbox: Inbox) {
        entries.withLock { $0.append(Entry(inbox: inbox, wake: nil)) }
    }

    func remove(_ inbox: Inbox) {
        entries.withLock { list in list.removeAll { $0.inbox === inbox } }
    }

    /// The main context takes in others' changes as they come, so that what observes its models stays current.
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

    /// Lets the contexts that can be reached from here look for what there is to take in.
    func wake() {
        for entry in entries.withLock({ $0 }) { entry.wake?() }
    }

    /// - Parameter sender: the context that saved, which knows already; `nil` when none did.
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
