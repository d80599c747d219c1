import Foundation
import ObjectGraph

/// Notices what others saved to a store, when it is asked to look and, where that is wanted, again and again on a queue of its
/// own. Stops when it is released.
///
/// A look costs one statement while others saved nothing. It is repeated rather than waited for, because no facility of the
/// system tells of writes to a file on every platform, through memory, and over a network.
package final class StoreLookout: Sendable {
    private let look: Look
    private let timer: Locked<(any DispatchSourceTimer)?>

    /// How often it looks, in seconds.
    package static let interval = 0.25

    /// - Parameters:
    ///   - store: is not kept alive.
    ///   - interval: `nil` to look only when asked.
    ///   - merge: called with the changes in the order in which they were noticed, before the next look begins; it must not
    ///     wait, nor look itself.
    ///   - tell: called after that, on the lookout's queue, or on the thread that calls `lookNow()`. An error is passed once,
    ///     until a look succeeds again.
    package init(
        _ store: SQLiteStore, interval: Double? = interval,
        merge: @escaping @Sendable (SavedChanges) -> Void = { _ in },
        tell: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void
    ) {
        let look = Look(store, merge, tell)
        self.look = look
        timer = Locked(interval.map { Self.timer(look, every: $0) })
    }

    private static func timer(_ look: Look, every interval: Double) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "OpenSwiftData.StoreLookout"))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(interval * 200)))
        timer.setEventHandler { look.now() }
        timer.activate()
        return timer
    }

    deinit { timer.withLock { $0?.cancel() } }

    /// Looks at once, on the calling thread. What was noticed before is not noticed again.
    package func lookNow() { look.now() }
}

/// What the timer holds: not the lookout itself, which could never be released then.
private final class Look: Sendable {
    private let state: Locked<State>
    /// Held from a look until its changes are with those that merge them, so that two looks do not change places.
    private let order = Locked(())
    private let merge: @Sendable (SavedChanges) -> Void
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

    init(
        _ store: SQLiteStore, _ merge: @escaping @Sendable (SavedChanges) -> Void,
        _ tell: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void
    ) {
        state = Locked(State(store: store))
        self.merge = merge
        self.tell = tell
    }

    func now() {
        guard let store = state.withLock({ $0.store }) else { return }
        do {
            let changes = try order.withLock { _ in
                let changes = try store.changesByOthers()
                if !changes.isEmpty { merge(changes) }
                return changes
            }
            state.withLock { $0.hasFailed = false }
            if !changes.isEmpty { tell(.success(changes)) }
        } catch {
            if state.withLock({ $0.fails() }) { tell(.failure(error)) }
        }
    }
}
