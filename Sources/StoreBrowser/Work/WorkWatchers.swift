/// Those who want to be told how the work goes on, each for as long as something is under way. Who is slower than the work
/// is told of the newest state only.
struct WorkWatchers: Sendable {
    private var continuations: [AsyncStream<WorkStatus>.Continuation] = []

    /// Tells of the state as it is now; nothing follows where nothing is under way.
    mutating func add(_ continuation: AsyncStream<WorkStatus>.Continuation, now status: WorkStatus?) {
        if let status { continuation.yield(status) }
        guard status?.isUnderWay ?? false else { return continuation.finish() }
        continuations.append(continuation)
    }

    mutating func tell(_ status: WorkStatus?) {
        guard let status, status.isUnderWay else {
            if let status { continuations.forEach { $0.yield(status) } }
            return end()
        }
        // Who has gone is known by this only.
        continuations.removeAll { continuation in
            if case .terminated = continuation.yield(status) { true } else { false }
        }
    }

    mutating func end() {
        continuations.forEach { $0.finish() }
        continuations = []
    }
}
