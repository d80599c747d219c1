import Synchronization

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

/// Runs a closure on an actor, once for all calls before it runs.
final class ActorWake: @unchecked Sendable {  // The closure is called on the actor only, and never changes.
    private let actor: any Actor
    private let body: () -> Void
    private let isScheduled = Atomic<Bool>(false)

    /// - Parameter body: Uses objects of the actor, without retaining them.
    init(on actor: any Actor, _ body: @escaping () -> Void) {
        self.actor = actor
        self.body = body
    }

    func schedule() {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { await self.run(on: self.actor) }
    }

    private func run(on actor: isolated any Actor) {
        isScheduled.store(false, ordering: .releasing)
        body()
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
