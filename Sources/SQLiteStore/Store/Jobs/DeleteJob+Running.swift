import Foundation
import ObjectGraph

/// Runs a job to its end without blocking the caller.
extension DeleteJob {
    /// Executes all chunks, on a thread of its own. If the task is cancelled, the current chunk is finished first.
    /// - Returns: The final progress, in phase `finished`.
    /// - Throws: `CancellationError`, and the errors of `step`.
    @discardableResult
    package func run() async throws -> DeleteJobProgress {
        try await run { _ in }
    }

    /// Runs the job and returns its progress as a sequence: one element at the start, and one after each chunk. Ending
    /// the iteration cancels the job. Elements are buffered, so a slow consumer neither blocks the job nor misses any.
    /// Call this once.
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
