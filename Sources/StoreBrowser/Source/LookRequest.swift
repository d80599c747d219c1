import Foundation
import ObjectGraph

/// A wish to look at the file, which takes several attempts where the file changes meanwhile.
final class LookRequest: Sendable {
    private struct State {
        var attempt = Progress.discreteProgress(totalUnitCount: 1)
        var isWithdrawn = false
    }

    private let state = Locked(State())

    /// Begins another attempt.
    /// - Returns: what stops it.
    func begin() -> RowMeter {
        state.withLock { state in
            state.attempt = Progress.discreteProgress(totalUnitCount: 1)
            if state.isWithdrawn { state.attempt.cancel() }
            return RowMeter(state.attempt)
        }
    }

    /// Stops the attempt under way; another one may follow.
    func interrupt() { state.withLock { $0.attempt.cancel() } }

    /// Who asked has gone: no attempt is worth anything any more.
    func withdraw() {
        state.withLock { state in
            state.isWithdrawn = true
            state.attempt.cancel()
        }
    }

    var isInterrupted: Bool { state.withLock { $0.attempt.isCancelled } }
    var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }
}
