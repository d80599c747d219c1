import Foundation
import ObjectGraph

/// A deletion that is carried out in chunks, so that other connections can read and write in between, and so that it can be
/// watched, stopped, and resumed after a crash.
///
/// ```swift
/// let deletion = try context.deletionPlan(for: Animal.self).start()
/// for try await state in deletion.updates { print(state.done, "of", state.total) }
/// ```
///
/// Rows deepest in the cascades are deleted first, the requested rows last: after every chunk the store obeys the delete rules.
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

    /// The identifier by which the deletion is resumed or abandoned.
    public var id: UUID { job.id }

    /// The progress in rows. Cancelling it stops the deletion after the current chunk.
    public var progress: Progress { job.progress }

    /// The current state.
    public var state: DeletionState { DeletionState(job.current) }

    /// The token that restores all chunks archived so far; `nil` if nothing is archived, or nothing was deleted yet.
    public var token: DeletionToken? {
        job.options.keeping == .none ? nil : DeletionToken(RecoveryToken.chunks(job.current.chunkCount, of: job.id))
    }

    /// A Boolean value that states whether live contexts merge each chunk.
    ///
    /// For SwiftData it is `true`, unless set otherwise. For Core Data it is the request's `mergesIntoLiveContexts`, and
    /// `false` for a resumed deletion.
    public var mergesIntoLiveContexts: Bool {
        get { announcer.audience.withLock { $0 == .liveContexts } }
        set { announcer.audience.withLock { $0 = newValue ? .liveContexts : .observers } }
    }

    /// Carries out the deletion to its end, off the caller's thread. When the task is cancelled, the current chunk is finished
    /// first.
    /// - Throws: `CancellationError` when it was stopped. `DeletionError`: `refused` (1600, 1570 or 1580; 1560 for several) when
    ///   a delete rule forbids a chunk because of rows that others wrote; `unknownDeletion` (134070) when it was abandoned;
    ///   `alreadyRunning` (134070). Errors of the delegate, and of reading and writing. Deleted rows stay deleted, and the
    ///   deletion can be resumed.
    public func run() async throws {
        do {
            try await job.run()
        } catch {
            throw host.programError(error)
        }
    }

    /// A stream that carries out the deletion while it is iterated, with one element at the start and one after each chunk.
    ///
    /// Get it once. Ending the iteration stops the deletion. A slow reader does not delay it: states are buffered, a few words for
    /// each chunk. The stream throws the errors of ``run()``.
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

    /// Stops the deletion after the current chunk, from any thread. It can be resumed.
    public func cancel() { job.cancel(.afterChunk) }
}
