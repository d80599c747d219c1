import Foundation
import ObjectGraph

/// A request for a read session. It may take several attempts if the file changes meanwhile.
final class ReadRequest: Sendable {
    private struct State {
        var attempt = Progress.discreteProgress(totalUnitCount: 1)
        var isWithdrawn = false
    }

    private let state = Locked(State())

    /// Begins another attempt.
    /// - Returns: a meter that stops the attempt.
    func begin() -> RowMeter {
        state.withLock { state in
            state.attempt = Progress.discreteProgress(totalUnitCount: 1)
            if state.isWithdrawn { state.attempt.cancel() }
            return RowMeter(state.attempt)
        }
    }

    /// Stops the current attempt; another one may follow.
    func interrupt() { state.withLock { $0.attempt.cancel() } }

    /// Cancels the request: further attempts stop immediately.
    func withdraw() {
        state.withLock { state in
            state.isWithdrawn = true
            state.attempt.cancel()
        }
    }

    var isInterrupted: Bool { state.withLock { $0.attempt.isCancelled } }
    var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }
}
