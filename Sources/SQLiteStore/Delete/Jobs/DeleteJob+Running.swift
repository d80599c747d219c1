import Foundation
import ObjectGraph

/// Running a job to its end without blocking the caller.
extension DeleteJob {
    /// Carries out chunk after chunk, on a thread of its own. When the task is cancelled, the chunk under way is finished
    /// first.
    /// - Returns: where it ended: in phase `finished`.
    /// - Throws: `CancellationError`, and what `step` throws.
    @discardableResult
    package func run() async throws -> DeleteJobProgress {
        try await run { _ in }
    }

    /// The same as a sequence: one element at the start, and one after each chunk. Whoever stops listening cancels the
    /// job; whoever is slow does not hold it up, and finds all elements. To be called once.
    package func updates() -> AsyncThrowingStream<DeleteJobProgress, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await self.run { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { reason in
                if case .cancelled = reason { task.cancel() }
            }
        }
    }

    @discardableResult
    private func run(_ report: @Sendable (DeleteJobProgress) -> Void) async throws -> DeleteJobProgress {
        let queue = DispatchQueue(label: "OpenSwiftData.DeleteJob")
        var progress = current
        report(progress)
        while progress.phase != .finished {
            try Task.checkCancellation()
            progress = try await withTaskCancellationHandler {
                try await step(on: queue)
            } onCancel: {
                cancel(.afterChunk)
            }
            report(progress)
            if progress.phase != .finished, options.pauseMilliseconds > 0 {
                try await Task.sleep(for: .milliseconds(options.pauseMilliseconds))
            }
        }
        return progress
    }

    private func step(on queue: DispatchQueue) async throws -> DeleteJobProgress {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.step() }) }
        }
    }
}
