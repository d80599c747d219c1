import Foundation

/// A deletion in chunks.
package protocol ChunkedDelete: AnyObject, Sendable {
    var id: UUID { get }
    var options: DeleteJobOptions { get }
    /// The number of deleted rows and of all rows. Cancelling it cancels the deletion.
    var progress: Progress { get }
    /// The current progress. Can be read on any thread.
    var current: DeleteJobProgress { get }

    /// Executes all chunks on a separate thread. If the task is cancelled, the current chunk is finished first.
    /// - Returns: The final progress, in phase `finished`.
    /// - Throws: `CancellationError`, `DeleteError.refused`, `DeleteJobError`, errors of the observer, and errors of
    ///   writing. Committed chunks stay committed.
    @discardableResult
    func run() async throws -> DeleteJobProgress

    /// Executes all chunks, and returns the progress as a sequence: one element at the start, and one after each chunk.
    /// Ending the iteration cancels the deletion. A slow reader does not delay it, and receives all elements. Call this
    /// once.
    func updates() -> AsyncThrowingStream<DeleteJobProgress, any Error>

    /// Ends this run for good, from any thread. The deletion stays in the store and can be resumed or dropped.
    func cancel(_ cancellation: DeleteCancellation)
}

extension ChunkedDelete {
    package func cancel() { cancel(.afterChunk) }
}

/// When a running chunk ends after a cancellation.
package enum DeleteCancellation: Sendable {
    case afterChunk
    /// The chunk is rolled back.
    case now
}
