import Synchronization

/// Runs a closure on an actor, once for all calls before it runs.
// The closure is called on the actor only, and never changes; the weak reference is only read.
final class ActorWake: @unchecked Sendable {
    /// Not retained, because an actor may own the context that wakes it.
    private weak var actor: (any Actor)?
    private let body: () -> Void
    private let isScheduled = Atomic<Bool>(false)

    /// - Parameter body: Uses objects of the actor, without retaining them.
    init(on actor: any Actor, _ body: @escaping () -> Void) {
        self.actor = actor
        self.body = body
    }

    var isReleased: Bool { actor == nil }

    /// - Returns: Whether the closure will run: the actor may have been released.
    @discardableResult
    func schedule() -> Bool {
        guard let actor else { return false }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { Task { await self.run(on: actor) } }
        return true
    }

    func isOn(_ other: any Actor) -> Bool { actor === other }

    private func run(on actor: isolated any Actor) {
        isScheduled.store(false, ordering: .releasing)
        body()
    }
}
