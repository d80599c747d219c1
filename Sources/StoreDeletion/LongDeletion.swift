import Foundation
import ObjectGraph

/// A deletion too long for one transaction: carried out in chunks, so that others can read and write in between, and that it
/// can be watched, stopped, and resumed after a crash.
///
/// ```swift
/// let deletion = try context.deletionPlan(for: Animal.self).start()
/// for try await state in deletion.updates { print(state.done, "of", state.total) }
/// ```
///
/// Rows that most cascades lead to go first, the rows asked for last: after every chunk the store obeys the delete rules.
/// Each chunk is planned in its own transaction, with a few statements for each entity.
public final class LongDeletion: Sendable {
    private let job: any ChunkedDelete
    private let announcer: ChunkAnnouncer
    private let host: any DeletionHost

    init(_ job: any ChunkedDelete, _ announcer: ChunkAnnouncer, _ host: any DeletionHost) {
        self.job = job
        self.announcer = announcer
        self.host = host
    }

    /// What it can be resumed or abandoned by.
    public var id: UUID { job.id }

    /// Rows done of rows in all. Cancelling it stops the deletion after the chunk under way.
    public var progress: Progress { job.progress }

    /// How far it is now.
    public var state: DeletionState { DeletionState(job.current) }

    /// The token of what is archived so far, all chunks together; `nil` when nothing is archived, or nothing was deleted yet.
    public var token: DeletionToken? {
        job.options.keeping == .none ? nil : DeletionToken(RecoveryToken.chunks(job.current.chunkCount, of: job.id))
    }

    /// Whether live contexts take in each chunk. For SwiftData it is, unless set otherwise. For Core Data it is as the
    /// request's `mergesIntoLiveContexts`, and `false` for a deletion that was resumed.
    public var mergesIntoLiveContexts: Bool {
        get { announcer.audience.withLock { $0 == .liveContexts } }
        set { announcer.audience.withLock { $0 = newValue ? .liveContexts : .observers } }
    }

    /// Carries it out to its end, off the caller's thread. When the task is cancelled, the chunk under way is finished first.
    /// - Throws: `CancellationError` when it was stopped. `DeletionError`: `refused` (1600, 1570 or 1580; 1560 for several) when
    ///   a delete rule forbids a chunk after others have written; `unknownDeletion` (134070) when it was abandoned;
    ///   `alreadyRunning` (134070). What the delegate throws, and what reading and writing throws. What is done stays done, and
    ///   it can be resumed.
    public func run() async throws {
        do {
            try await job.run()
        } catch {
            throw host.programError(error)
        }
    }

    /// Carries it out, with one element at the start and one after each chunk. To be asked for once. Ending the iteration stops
    /// the deletion. A slow reader does not hold it up: states wait to be read, a few words for each chunk.
    /// - Throws: As `run()`.
    public var updates: AsyncThrowingStream<DeletionState, any Error> {
        let (updates, host) = (job.updates(), host)
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await progress in updates { continuation.yield(DeletionState(progress)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: host.programError(error))
                }
            }
            continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
        }
    }

    /// Stops it after the chunk under way, from any thread. It can be resumed.
    public func cancel() { job.cancel(.afterChunk) }
}
