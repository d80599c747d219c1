import Foundation
import ObjectGraph
import SQLiteStore

/// A batch delete too long for one transaction: carried out in chunks, so that others can read and write in between, and
/// that it can be watched, stopped, and resumed after a crash.
///
/// ```swift
/// let deletion = try context.startDeletion(request)
/// for try await state in deletion.updates { print(state.done, "of", state.total) }
/// ```
///
/// After every chunk the store obeys the delete rules: what goes last is what was asked for.
public final class LongBatchDeletion: Sendable {
    private let job: DeleteJob
    private let announcer: ChunkAnnouncer

    init(_ job: DeleteJob, _ announcer: ChunkAnnouncer) {
        self.job = job
        self.announcer = announcer
    }

    /// What it can be resumed or dropped by.
    public var id: UUID { job.id }

    /// Rows done of rows in all. Cancelling it stops the delete.
    public var progress: Progress { job.progress }

    public var state: BatchDeletionState { BatchDeletionState(job.current) }

    /// Whether every live context of the coordinator learns of each chunk, as the request said; not of itself when it is
    /// resumed.
    public var mergesIntoLiveContexts: Bool {
        get { announcer.audience.withLock { $0 == .liveContexts } }
        set { announcer.audience.withLock { $0 = newValue ? .liveContexts : .listeners } }
    }

    /// What it can be taken back by as far as it got, chunk by chunk; `nil` when the request was not recoverable, or it took
    /// nothing yet.
    public var recoveryToken: NSRecoveryToken? {
        let tokens = job.tokens
        return tokens.isEmpty ? nil : NSRecoveryToken(tokens)
    }

    /// Carries it out to its end, off the caller's thread. When the task is cancelled, the chunk under way is finished
    /// first.
    /// - Throws: `CocoaError.userCancelled` when it was stopped; 1600, 1580 or 134050 when others have put something in its
    ///   way; what a delegate throws. What is done stays done, and it can be resumed.
    public func run() async throws {
        do {
            try await job.run()
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }

    /// Carries it out, and tells how far it is: at the start, and after each chunk. To be asked for once. Whoever stops
    /// listening stops the delete; whoever is slow does not hold it up: states wait to be read, a few words for each chunk.
    /// - Throws: As `run()`.
    public var updates: AsyncThrowingStream<BatchDeletionState, any Error> {
        job.updates {
            BatchDeletionState($0)
        } failure: {
            BatchDeleteFailure.error($0)
        }
    }

    /// Stops after the chunk under way, from any thread.
    public func cancel() { job.cancel(.afterChunk) }
}

/// Tells of each chunk: the delegate before it is committed, others afterwards.
final class ChunkAnnouncer: DeleteObserver {
    private let core: CoordinatorCore
    let audience: Locked<CoordinatorCore.Audience>

    init(_ core: CoordinatorCore, _ audience: CoordinatorCore.Audience = .listeners) {
        self.core = core
        self.audience = Locked(audience)
    }

    func willCommit(_ page: RowSet) throws { try core.willCommit(page) }

    func didCommit(_ result: DeleteResult) {
        core.tell(result.plan, to: audience.withLock { $0 }, from: nil)
    }
}
