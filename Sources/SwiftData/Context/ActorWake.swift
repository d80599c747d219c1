import Synchronization

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
