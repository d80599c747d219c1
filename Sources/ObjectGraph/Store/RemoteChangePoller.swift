import Foundation

/// Detects changes that other connections saved to a store, when asked and, optionally, repeatedly on a queue of its own.
/// Stops when it is released.
///
/// A poll costs one statement while there are no changes. Polling is used because no system facility reports writes to a
/// file on every platform, through memory, and over a network.
package final class RemoteChangePoller: Sendable {
    private let poll: Poll
    private let timer: Locked<(any DispatchSourceTimer)?>

    /// The polling interval in seconds.
    package static let interval = 0.25

    /// - Parameters:
    ///   - store: Is not retained.
    ///   - interval: The polling interval; `nil` to look only when asked.
    ///   - order: The order that it shares with other code that polls the store.
    ///   - merge: Called with the changes in the order in which they were detected, before the next poll begins. It must
    ///     neither block nor poll.
    ///   - report: Called afterwards, on the poller's queue or on the thread that calls `pollNow()`. An error is reported
    ///     once, until a poll succeeds again.
    package init(
        _ store: any ChangeWatching, interval: Double? = interval, order: PollOrder = PollOrder(),
        merge: @escaping @Sendable (SavedChanges) -> Void = { _ in },
        report: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void
    ) {
        let poll = Poll(store, order, merge, report)
        self.poll = poll
        timer = Locked(interval.map { Self.timer(poll, every: $0) })
    }

    private static func timer(_ poll: Poll, every interval: Double) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "OpenSwiftData.RemoteChangePoller"))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(interval * 200)))
        timer.setEventHandler { poll.now() }
        timer.activate()
        return timer
    }

    deinit {
        timer.withLock { $0?.cancel() }
        poll.stop()
    }

    /// Polls immediately, on the calling thread. Changes detected before are not reported again.
    package func pollNow() { poll.now() }
}

/// The object that the timer retains. If it retained the poller itself, the poller could never be released.
private final class Poll: Sendable {
    private let state: Locked<State>
    private let order: PollOrder
    private let merge: @Sendable (SavedChanges) -> Void
    private let report: @Sendable (Result<SavedChanges, any Error>) -> Void

    private struct State {
        weak var store: (any ChangeWatching)?
        var hasFailed = false

        /// - Returns: Whether the previous poll had succeeded.
        mutating func fails() -> Bool {
            defer { hasFailed = true }
            return !hasFailed
        }
    }

    init(
        _ store: any ChangeWatching, _ order: PollOrder, _ merge: @escaping @Sendable (SavedChanges) -> Void,
        _ report: @escaping @Sendable (Result<SavedChanges, any Error>) -> Void
    ) {
        state = Locked(State(store: store))
        self.order = order
        self.merge = merge
        self.report = report
    }

    func now() {
        do {
            let changes = try order.poll(readChanges, passingTo: merge)
            state.withLock { $0.hasFailed = false }
            if !changes.isEmpty { report(.success(changes)) }
        } catch {
            if state.withLock({ $0.fails() }) { report(.failure(error)) }
        }
    }

    private func readChanges() throws -> SavedChanges {
        try state.withLock({ $0.store })?.changesByOthers() ?? SavedChanges()
    }

    /// Waits for a poll of another thread, which retains the store, so that the store closes its file when it is released.
    func stop() {
        order.withoutPolls { state.withLock { $0.store = nil } }
    }
}
