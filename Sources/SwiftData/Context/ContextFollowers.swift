/// Live results of a context.
protocol ContextFollower: AnyObject {
    /// The context's models may have changed. Called in the context's isolation, also in the middle of an edit.
    func contextMayHaveChanged()
}

/// The live results of one context. Used in the context's isolation.
final class ContextFollowers {
    private struct Entry {
        weak var follower: (any ContextFollower)?
    }

    private var entries: [Entry] = []
    /// Increases whenever the context's models may have changed otherwise than by edits and merges.
    private(set) var count = 0

    var isEmpty: Bool { entries.isEmpty }

    func add(_ follower: any ContextFollower) { entries.append(Entry(follower: follower)) }

    func notify() {
        count &+= 1
        if entries.isEmpty { return }
        for entry in entries { entry.follower?.contextMayHaveChanged() }
        entries.removeAll { $0.follower == nil }
    }
}

extension ModelContext {
    /// Registers live results, which need to know of the next edit.
    /// - Parameter actor: The actor of this context; `nil` if it is unknown. On an actor, the context merges saves of others as
    ///   they arrive.
    func add(_ follower: any ContextFollower, on actor: (any Actor)?) {
        followers.add(follower)
        graph.options.notifiesOfChanges = true
        graph.options.notifiesOfNextEdit = true
        guard let actor else { return }
        let wake = ActorWake(on: actor) { [weak self] in
            self?.graph.mergeWaitingChanges()
            self?.followers.notify()
        }
        core.contexts.wake(graph.inbox) { wake.schedule() }
    }
}
