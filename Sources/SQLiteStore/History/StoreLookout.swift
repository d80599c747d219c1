import Foundation
import ObjectGraph

/// Looks again and again, on a queue of its own, whether others saved, and hands on what they did. Stops when it is let go
/// of.
///
/// A look costs one statement while nobody saved. It is asked for rather than waited for, because no facility of the
/// system tells of writes to a file on every platform, through memory, and over a network.
package final class StoreLookout: Sendable {
    private let look: Look
    private let timer: Locked<any DispatchSourceTimer>

    /// How often it looks, in seconds.
    package static let interval = 0.25

    /// - Parameters:
    ///   - store: is not kept alive.
    ///   - tell: called on the lookout's queue, or on the thread that calls `lookNow()`, with the changes. An error is
    ///     told once, until a look succeeds again.
    package init(
        _ store: SQLiteStore, interval: Double = interval,
        tell: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void
    ) {
        let look = Look(store, tell)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "OpenSwiftData.StoreLookout"))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(interval * 200)))
        timer.setEventHandler { look.now() }
        timer.activate()
        self.look = look
        self.timer = Locked(timer)
    }

    deinit { timer.withLock { $0.cancel() } }

    /// Looks at once, on the calling thread. What was told is not told again.
    package func lookNow() { look.now() }
}

/// What the timer holds: not the lookout itself, which could never be let go of then.
private final class Look: Sendable {
    private let state: Locked<State>
    private let tell: @Sendable (Result<SavedChanges, any Error>) -> Void

    private struct State {
        weak var store: SQLiteStore?
        var hasFailed = false

        /// - Returns: whether that is new.
        mutating func fails() -> Bool {
            defer { hasFailed = true }
            return !hasFailed
        }
    }

    init(_ store: SQLiteStore, _ tell: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void) {
        state = Locked(State(store: store))
        self.tell = tell
    }

    func now() {
        guard let store = state.withLock({ $0.store }) else { return }
        do {
            let changes = try store.changesByOthers()
            state.withLock { $0.hasFailed = false }
            if !changes.isEmpty { tell(.success(changes)) }
        } catch {
            if state.withLock({ $0.fails() }) { tell(.failure(error)) }
        }
    }
}
