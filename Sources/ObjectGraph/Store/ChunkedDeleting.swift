import Foundation

/// A store that executes long deletions in chunks, each in its own transaction, and keeps a record of unfinished ones.
package protocol ChunkedDeleting: AnyObject, Sendable {
    /// Makes the plan, and stores its roots: from then on the deletion can be resumed. Deletes nothing yet.
    ///
    /// The request's `mostRows` is checked in this call, for the whole deletion; `relinked` is ignored.
    /// - Parameter shown: The plan that the user has seen; the deletion is refused if it would differ from that.
    /// - Throws: `DeleteError`, `DeleteJobError.notEnoughDisk`, `StoreAccessError.readOnly`.
    func startJob(
        _ request: DeleteRequest, _ options: DeleteJobOptions, observer: (any DeleteObserver)?,
        expecting shown: DeletePlan?
    ) throws -> any ChunkedDelete

    /// Returns the deletions that were started, by this or another process, and neither finished nor dropped.
    func jobs() throws -> [DeleteJobRecord]

    /// Resumes a deletion that was cancelled or whose process ended. The remaining roots are planned again.
    /// - Throws: `DeleteJobError`; `DeleteError.refused` if changes made meanwhile prevent the deletion.
    func resumeJob(_ id: UUID, observer: (any DeleteObserver)?) throws -> any ChunkedDelete

    /// Removes the record of a deletion. Deleted rows stay deleted; a running job stops before its next chunk.
    /// - Throws: `DeleteJobError.unknownJob`.
    func dropJob(_ id: UUID) throws
}

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
