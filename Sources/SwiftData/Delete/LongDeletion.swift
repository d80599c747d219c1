import Foundation
import ObjectGraph
import SQLiteStore

/// A delete too long for one transaction: carried out in chunks, so that others can read and write in between, and that
/// it can be watched, stopped, and resumed after a crash.
///
/// ```swift
/// let plan = try context.deletionPlan(for: Animal.self)
/// let deletion = try container.startDeletion(plan)
/// for try await state in deletion.updates { print(state.done, "of", state.total) }
/// ```
///
/// After every chunk the store obeys the delete rules: what goes last is what was asked for. Live contexts learn of
/// each chunk.
public final class LongDeletion: Sendable {
    let job: DeleteJob
    /// Keeps the live contexts told.
    private let announcer: ChunkAnnouncer

    init(_ job: DeleteJob, _ announcer: ChunkAnnouncer) {
        self.job = job
        self.announcer = announcer
    }

    /// What it can be resumed or dropped by.
    public var id: UUID { job.id }

    /// Models done of models in all. Cancelling it stops the delete.
    public var progress: Progress { job.progress }

    public var state: DeletionState { DeletionState(job.current) }

    /// What it can be taken back by as far as it got; `nil` when it does not keep what it deletes, or took nothing yet.
    public var token: DeletionToken? { DeletionToken(chunks: job.tokens) }

    /// Carries it out to its end, off the caller's thread. When the task is cancelled, the chunk under way is finished
    /// first.
    /// - Throws: `CancellationError` when it was stopped; `CocoaError` 1600, 1570 or 1580 when others have put something in
    ///   its way; what a delegate throws. What is done stays done, and it can be resumed.
    public func run() async throws {
        do {
            try await job.run()
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    /// Carries it out, and tells how far it is: at the start, and after each chunk. To be asked for once. Whoever stops
    /// listening stops the delete.
    public var updates: AsyncThrowingStream<DeletionState, any Error> {
        job.updates {
            DeletionState($0)
        } failure: {
            ErrorMapping.saving($0)
        }
    }

    /// Stops after the chunk under way, from any thread.
    public func cancel() { job.cancel(.afterChunk) }
}

/// How far a long delete is.
public struct DeletionState: Sendable, Hashable {
    public enum Phase: String, Sendable, Hashable {
        case planned
        case deleting
        /// All models are gone; free pages of the file are given back.
        case vacuuming
        case finished
    }

    public let phase: Phase
    /// Models gone for good.
    public let done: Int
    /// Models that will be gone at the end, as far as is known now.
    public let total: Int
    public let chunkCount: Int

    init(_ progress: DeleteJobProgress) {
        phase = Phase(rawValue: progress.phase.rawValue) ?? .deleting
        done = progress.rowsDone
        total = progress.rowsTotal
        chunkCount = progress.chunkCount
    }
}

/// What one may choose about a long delete.
public struct DeletionOptions: Sendable, Hashable {
    /// The most models in one chunk, those not counted that cannot go apart.
    public var modelsPerChunk = 50_000
    /// For how long a chunk may keep others from writing, in milliseconds.
    public var lockMilliseconds: Double = 100
    /// What a chunk may write to the write-ahead log, in bytes.
    public var logBytes: Int64 = 16 << 20
    /// Whether what goes is kept, so that it can be taken back.
    public var recoverable = false
    /// Whether free pages are given back to the file system between chunks, where the file was made for that.
    public var vacuums = false

    public init() {}

    var jobOptions: DeleteJobOptions {
        DeleteJobOptions(
            rows: modelsPerChunk, milliseconds: lockMilliseconds, logBytes: logBytes,
            keeping: recoverable ? .everyChunk : .none, vacuuming: vacuums ? .betweenChunks : .none)
    }
}
