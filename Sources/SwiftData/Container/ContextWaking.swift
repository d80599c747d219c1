import ObjectGraph

/// A model context, as others see it: its inbox, and how it is woken. It does not retain the context.
final class ContextWaking: LiveContext {
    let inbox: Inbox
    private let wakes = Locked(Wakes())

    private struct Wakes {
        /// Wakes the main context; it needs no other.
        var main: (@Sendable () -> Void)?
        /// Those of actors with live results of the context.
        var actors: [ActorWake] = []
    }

    var mergesAutomatically: Bool { true }

    init(_ inbox: Inbox) { self.inbox = inbox }

    func wake() {
        let wakes = wakes.withLock { $0 }
        if let main = wakes.main { return main() }
        // The first one merges for all, unless its actor was released.
        _ = wakes.actors.first { $0.schedule() }
    }

    /// Wakes the context of an actor, so that live results stay current.
    func wake(by wake: ActorWake) {
        wakes.withLock { wakes in
            wakes.actors.removeAll(where: \.isReleased)
            wakes.actors.append(wake)
        }
    }

    /// Makes the main context merge changes of others as they arrive, so that observers of its models stay current.
    @MainActor
    func wakeOnMainActor(_ context: ModelContext) {
        let reference = MainContextReference(context)
        wakes.withLock {
            $0.main = { Task { @MainActor in reference.context?.processPendingChanges() } }
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
