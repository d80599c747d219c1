import Synchronization

/// A difference to which a later one can be appended.
protocol MergeableDifference: Sendable {
    var isEmpty: Bool { get }
    /// The number of changes.
    var weight: Int { get }
    mutating func append(_ later: Self)
}

/// Differences that one reader has not taken yet, merged into one when it takes them. Used from any isolation.
final class DifferenceMailbox<Difference: MergeableDifference>: Sendable {
    private typealias Waiting = CheckedContinuation<Difference?, Never>

    private struct State {
        /// In order. Each has more than twice the changes of the next, so that a change is merged a few times only.
        var pending: [Difference] = []
        var isFinished = false
        var waiting: [Int: Waiting] = [:]
        var lastNumber = 0

        mutating func add(_ difference: Difference) {
            pending.append(difference)
            while pending.count > 1, pending[pending.count - 2].weight <= 2 * pending[pending.count - 1].weight {
                join()
            }
        }

        /// Takes the merged difference; `nil` if there is none, or its changes have cancelled each other.
        mutating func take() -> Difference? {
            while pending.count > 1 { join() }
            return pending.popLast().flatMap { $0.isEmpty ? nil : $0 }
        }

        private mutating func join() {
            let later = pending.removeLast()
            pending[pending.count - 1].append(later)
        }
    }

    private let state = Mutex(State())

    func post(_ difference: Difference) {
        let reader = state.withLock { state -> (waiting: Waiting, difference: Difference)? in
            state.add(difference)
            guard let number = state.waiting.keys.min(), let difference = state.take() else { return nil }
            return state.waiting.removeValue(forKey: number).map { ($0, difference) }
        }
        reader?.waiting.resume(returning: reader?.difference)
    }

    /// Ends the sequence, after what has not been taken.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for waiting in waiting { waiting.resume(returning: nil) }
    }

    /// Takes the differences posted so far, merged into one; `nil` if there are none, or they have cancelled each other.
    func take() -> Difference? { state.withLock { $0.take() } }

    /// Takes the next difference, and waits for it if there is none.
    /// - Returns: `nil` at the end, and if the task is cancelled.
    func next() async -> Difference? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let ready = state.withLock { state -> Difference?? in
                    if Task.isCancelled { return .some(nil) }
                    if let difference = state.take() { return difference }
                    if state.isFinished { return .some(nil) }
                    state.waiting[number] = waiting
                    return nil
                }
                if let ready { waiting.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
        }
    }
}

/// The readers of the differences of one observer. Used in the observer's isolation.
final class DifferenceFeed<Difference: MergeableDifference> {
    private struct Reader {
        weak var mailbox: DifferenceMailbox<Difference>?
    }

    private var readers: [Reader] = []

    deinit { for reader in readers { reader.mailbox?.finish() } }

    /// Whether there are readers.
    var isRead: Bool {
        if readers.isEmpty { return false }
        readers.removeAll { $0.mailbox == nil }
        return !readers.isEmpty
    }

    func open() -> DifferenceMailbox<Difference> {
        readers.removeAll { $0.mailbox == nil }
        let mailbox = DifferenceMailbox<Difference>()
        readers.append(Reader(mailbox: mailbox))
        return mailbox
    }

    func post(_ difference: Difference) {
        if difference.isEmpty { return }
        for reader in readers { reader.mailbox?.post(difference) }
    }
}
