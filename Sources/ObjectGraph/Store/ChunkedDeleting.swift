import Foundation

/// A store that executes long deletions in chunks, each in its own transaction, and keeps a record of unfinished ones.
package protocol ChunkedDeleting: AnyObject, Sendable {
    /// Makes the plan, and stores its roots: from then on the deletion can be resumed. Deletes nothing yet.
    ///
    /// The request's `mostRows` is checked in this call, for the whole deletion. Chunks ignore `rewrittenLinks` and
    /// `excluded`.
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
    func discardJob(_ id: UUID) throws
}
