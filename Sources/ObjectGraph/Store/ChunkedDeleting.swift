import Foundation

/// A store that carries out long deletes in chunks, each in a transaction of its own, and keeps those that are not finished.
package protocol ChunkedDeleting: AnyObject, Sendable {
    /// Makes the plan, and keeps its roots in the store: from here on the delete can be resumed. Nothing is deleted yet.
    ///
    /// The request's `mostRows` is judged now, over the whole delete; `relinked` means nothing here.
    /// - Parameter shown: what a program was shown; the delete is refused when it would do something else now.
    /// - Throws: `DeleteError`, `DeleteJobError.notEnoughDisk`, `StoreAccessError.readOnly`.
    func startJob(
        _ request: DeleteRequest, _ options: DeleteJobOptions, observer: (any DeleteObserver)?, expecting shown: DeletePlan?
    ) throws -> any ChunkedDelete

    /// Deletes that were started, here or elsewhere, and neither finished nor dropped.
    func jobs() throws -> [DeleteJobRecord]

    /// Goes on with a delete whose process ended, or that was cancelled: what is left of its roots is planned again.
    /// - Throws: `DeleteJobError`; `DeleteError.refused` when what others did meanwhile stands in the way.
    func resumeJob(_ id: UUID, observer: (any DeleteObserver)?) throws -> any ChunkedDelete

    /// Forgets a delete. What it did stays done; a run that is under way stops before its next chunk.
    /// - Throws: `DeleteJobError.unknownJob`.
    func dropJob(_ id: UUID) throws
}

/// A delete that is carried out in chunks.
package protocol ChunkedDelete: AnyObject, Sendable {
    var id: UUID { get }
    var options: DeleteJobOptions { get }
    /// Rows done of rows in all. Cancelling it cancels the delete.
    var progress: Progress { get }
    /// How far it is. From any thread.
    var current: DeleteJobProgress { get }

    /// Carries out chunk after chunk, on a thread of its own. When the task is cancelled, the chunk under way is finished
    /// first.
    /// - Returns: where it ended: in phase `finished`.
    /// - Throws: `CancellationError`, `DeleteError.refused`, `DeleteJobError`, what the observer throws, and what writing
    ///   throws. What is done stays done.
    @discardableResult
    func run() async throws -> DeleteJobProgress

    /// The same as a sequence: one element at the start, and one after each chunk. Ending the iteration cancels the delete; a
    /// slow reader does not hold it up, and finds all elements. To be called once.
    func updates() -> AsyncThrowingStream<DeleteJobProgress, any Error>

    /// Ends this run for good, from any thread. It stays in the store and can be resumed or dropped.
    func cancel(_ cancellation: DeleteCancellation)
}

extension ChunkedDelete {
    package func cancel() { cancel(.afterChunk) }
}

/// When a chunk that is under way ends.
package enum DeleteCancellation: Sendable {
    case afterChunk
    /// It is rolled back.
    case now
}
