/// Streams that receive status changes, each until the operation is over. A slow consumer receives only the newest
/// status.
struct OperationObservers: Sendable {
    private var continuations: [AsyncStream<OperationStatus>.Continuation] = []

    /// Sends the current status. The stream ends with it if no operation is running.
    mutating func add(_ continuation: AsyncStream<OperationStatus>.Continuation, now status: OperationStatus?) {
        if let status { continuation.yield(status) }
        guard status?.isUnderWay ?? false else { return continuation.finish() }
        continuations.append(continuation)
    }

    mutating func notify(_ status: OperationStatus?) {
        guard let status, status.isUnderWay else {
            if let status { continuations.forEach { $0.yield(status) } }
            return end()
        }
        // Yielding is the only way to detect a terminated stream.
        continuations.removeAll { continuation in
            if case .terminated = continuation.yield(status) { true } else { false }
        }
    }

    mutating func end() {
        continuations.forEach { $0.finish() }
        continuations = []
    }
}
