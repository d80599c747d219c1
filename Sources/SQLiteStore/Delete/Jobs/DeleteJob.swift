import Foundation
import ObjectGraph

/// A delete carried out in chunks, each in a transaction of its own, so that others can write in between and a crash
/// loses nothing but the chunk under way.
///
/// 1. The roots are fixed when it starts, and it is refused at once if the whole would be. They are kept in the file with
///    what was chosen, and can be resumed or dropped by the job's identifier until the last chunk, which takes that record
///    along; where rows had files, it goes once those are removed.
/// 2. The order of work is fixed as well: what most cascades lead to goes first, the roots last. So what is left at any
///    moment hangs below the roots that are left, and resuming finds it by planning those again.
/// 3. Every chunk is a delete by the rules of its own, planned in its own transaction. After each the graph obeys the
///    rules: survivors are cleared, history is written, nothing dangles that would not after any delete.
///    Rows that deny the chunk, or would be left without a destination they must have, and are to go themselves, go in
///    the same chunk. Rows of others that do so stop the job; what is done stays done.
/// 4. When others wrote meanwhile, a row's turn begins with asking whether it still hangs below the roots. What was
///    given to another owner stays; what was added below a root goes with its owner.
/// 5. How many rows and links a chunk has follows from what the chunks before have cost. Rows go with their links; a row
///    that has more of them than a chunk can bear loses them in chunks of their own, and goes with the last.
///
/// The end is that of the same delete in one transaction, but for two things: a survivor's row version rises, and its
/// history is written, once for every chunk that clears one of its links; and so do those of rows that go later.
package final class DeleteJob: ChunkedDelete {
    package let id: UUID
    package let options: DeleteJobOptions
    /// Rows done of rows in all. Cancelling it cancels the job.
    package let progress: Progress
    let store: SQLiteStore
    private let record: DeleteJobRecord
    private let observer: (any DeleteObserver)?
    private let environment: JobEnvironment
    /// `nil` while a chunk is carried out.
    private let work: Locked<JobWork?>
    private let state: Locked<State>

    private struct State {
        var progress: DeleteJobProgress
        var cancellation: DeleteCancellation?
        /// The one that writes, while it does.
        var connection: Connection?
    }

    init(
        _ store: SQLiteStore, _ record: DeleteJobRecord, _ work: JobWork, _ observer: (any DeleteObserver)?,
        _ environment: JobEnvironment
    ) {
        id = record.id
        options = record.options
        self.store = store
        self.record = record
        self.observer = observer
        self.environment = environment
        self.work = Locked(work)
        state = Locked(State(progress: work.progress))
        progress = Progress(totalUnitCount: Int64(work.progress.rowsTotal))
        progress.completedUnitCount = Int64(work.progress.rowsDone)
        progress.cancellationHandler = { [weak self] in self?.cancel(.afterChunk) }
    }

    /// How far it is. From any thread.
    package var current: DeleteJobProgress { state.withLock { $0.progress } }

    // MARK: Cancelling

    /// Ends this run for good, from any thread: `step` throws `CancellationError`. The job stays in the file and can be
    /// resumed or dropped.
    package func cancel(_ cancellation: DeleteCancellation) {
        state.withLock {
            if $0.cancellation != .now { $0.cancellation = cancellation }
            // Under the lock: the connection cannot be somebody else's yet.
            if cancellation == .now { $0.connection?.interrupt() }
        }
    }

    /// The progress tells its handler of a cancellation some time later.
    package var isCancelled: Bool { progress.isCancelled || state.withLock { $0.cancellation != nil } }

    // MARK: Stepping

    /// Carries out one chunk, or gives back some free pages once all rows are gone. Blocks until that is done.
    /// - Returns: how far it is; the phase is `finished` when there is nothing left to do.
    /// - Throws: `CancellationError`; `DeleteError.refused`, `DeleteJobError`, `SQLiteError` and what the observer throws:
    ///   then the chunk was taken back, or it was committed and tidying up after it failed; `current` tells. It may be
    ///   tried again, unless the job was dropped or cancelled.
    package func step() throws -> DeleteJobProgress {
        guard var work = work.withLock({ $0.take() }) else { throw DeleteJobError.busy(id) }
        defer {
            let done = work
            publish(done.progress)
            self.work.withLock { $0 = done }
        }
        if isCancelled { throw CancellationError() }
        do {
            switch work.progress.phase {
            case .planned, .deleting:
                try deleteChunk(&work)
                try tidy(&work)
            case .vacuuming: try vacuum(&work)
            case .finished: break
            }
        } catch let error as SQLiteError where isCancelled && (error.isInterrupt || error.isBusy) {
            // A statement was stopped, or the wait for the write lock.
            throw CancellationError()
        }
        return work.progress
    }

    private func publish(_ now: DeleteJobProgress) {
        state.withLock { $0.progress = now }
        let isDone = now.phase == .vacuuming || now.phase == .finished
        // A delete that finds no rows is one unit of one.
        progress.setTotal(Int64(isDone ? max(1, now.rowsTotal) : now.rowsTotal))
        progress.completedUnitCount = isDone ? progress.totalUnitCount : Int64(now.rowsDone)
    }

    /// Lends the writing connection, which `cancel` may interrupt meanwhile.
    private func withWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try store.pool.withWriter { connection in
            state.withLock { $0.connection = connection }
            defer { state.withLock { $0.connection = nil } }
            if isCancelled { throw CancellationError() }
            return try body(connection)
        }
    }

    /// The same for a transaction that the watcher must know as the store's own.
    private func recordingSave<Result>(
        _ body: (Connection, _ willCommit: @escaping (Int64?) -> Void) throws -> Result
    ) throws -> Result {
        try withWriter { connection in
            try store.watcher.recordingSave { willCommit in try body(connection, willCommit) }
        }
    }

    // MARK: Chunks

    private func deleteChunk(_ work: inout JobWork) throws {
        var next = work
        next.oldFiles = store.saveRunner.externalData?.removeUnreferenced(work.oldFiles) ?? []
        let result = try recordingSave { connection, willCommit in
            var run = DeleteRun(runner: store.saveRunner, request: request(next))
            run.beforeCommit = { result, files in
                try self.finish(result, files, &next, connection)
                willCommit(result.transactionNumber)
            }
            var measuring: (started: Started, linkCount: Int)?
            let result = try run.run(connection) { _ in
                let started = try Started(connection, environment)
                let chunk = try chunk(&next, connection)
                measuring = (started, chunk.linkCount)
                return chunk.plan
            }
            next.oldFiles += run.remainingFiles
            if let (started, linkCount) = measuring, !result.plan.isEmpty {
                let rowCount = result.plan.deleted.count
                next.note(started.cost(rows: rowCount, links: linkCount, connection, environment))
            }
            return result
        }
        work = next
        if !result.plan.isEmpty { observer?.didCommit(result) }
        // The last chunk's files are gone: so may be the record that names them.
        if work.queue.isEmpty, work.progress.phase == .deleting { try deleteChunk(&work) }
    }

    private func request(_ work: JobWork) -> DeleteRequest {
        var request = DeleteRequest(.rows(work.roots))
        request.author = record.author
        request.observer = observer
        if options.keeping == .everyChunk {
            request.recovery = .kept(RecoveryToken(chunk: work.progress.chunkCount, of: id))
        }
        return request
    }

    private func chunk(_ work: inout JobWork, _ connection: Connection) throws -> ChunkPlanner.Chunk {
        work.compare(with: try connection.moment())
        let planner = ChunkPlanner(
            reader: store.saveRunner.deleteRunner.reader(connection), roots: work.roots, counts: record.counts,
            mayHaveMoved: work.mayHaveMoved)
        return try planner.next(&work.queue, work.sizer.limit)
    }

    /// The last thing in the transaction: the job's own row is written or removed.
    private func finish(
        _ result: DeleteResult, _ files: [String], _ work: inout JobWork, _ connection: Connection
    ) throws {
        // Between two statements an interrupt finds nothing to stop.
        if state.withLock({ $0.cancellation == .now }) { throw CancellationError() }
        work.count(result.plan)
        let table = JobTable(connection: connection)
        if work.queue.isEmpty, files.isEmpty {
            try table.remove(id)
            work.progress.rowsTotal = work.progress.rowsDone
            work.progress.phase = options.vacuuming == .none ? .finished : .vacuuming
        } else {
            try table.advance(id, rows: result.plan.deleted.count, total: work.progress.rowsTotal)
            try table.note(oldFiles: work.oldFiles + files, id)
            work.progress.phase = .deleting
        }
        work.mark = try connection.moment()
    }

    // MARK: Between chunks

    private func tidy(_ work: inout JobWork) throws {
        if options.vacuuming == .betweenChunks, work.progress.phase == .deleting { try vacuum(&work) }
        guard options.checkpoints == .afterEachChunk else { return }
        try withWriter { try $0.withStatement("PRAGMA wal_checkpoint(PASSIVE)") { try $0.run() } }
    }

    /// Gives some free pages back. The phase ends when there are none left, or the file cannot give any back.
    private func vacuum(_ work: inout JobWork) throws {
        let isLast = try withWriter { connection in
            let before = try connection.freePageCount()
            guard before > 0 else { return true }
            let started = try Started(connection, environment)
            try connection.execute("PRAGMA incremental_vacuum(\(min(before, work.vacuumSizer.size)))")
            let after = try connection.freePageCount()
            work.vacuumSizer.note(started.cost(rows: before - after, connection, environment))
            return after == 0 || after >= before
        }
        if isLast, work.progress.phase == .vacuuming { work.progress.phase = .finished }
    }
}

/// Where the measuring of one transaction began.
private struct Started {
    private let milliseconds: Double
    private let pageCount: Int
    /// In bytes.
    private let pageSize: Int64

    init(_ connection: Connection, _ environment: JobEnvironment) throws {
        pageSize = try connection.pageSize()
        milliseconds = environment.milliseconds()
        pageCount = connection.writtenPageCount
    }

    /// Cannot fail: what it measures is committed.
    func cost(
        rows: Int, links: Int = 0, _ connection: Connection, _ environment: JobEnvironment
    ) -> ChunkCost {
        let bytes = Int64(connection.writtenPageCount - pageCount) * (pageSize + Self.frameHeader)
        return ChunkCost(
            rows: rows, links: links, milliseconds: environment.milliseconds() - milliseconds, bytes: bytes)
    }

    /// What the write-ahead log adds to each page, in bytes.
    private static let frameHeader: Int64 = 24
}
