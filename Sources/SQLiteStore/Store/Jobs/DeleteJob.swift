import Foundation
import ObjectGraph

/// A delete in chunks, each in a transaction of its own, so that other connections can write in between and a crash loses
/// at most the current chunk.
///
/// 1. The roots are fixed at the start, and a delete that would be refused as a whole is refused then. The file keeps the
///    roots and the options in a record. By the job's identifier, the job can be resumed or dropped until its last chunk,
///    which removes the record; if rows had external files, the record is removed after them.
/// 2. The order is fixed, too: the rows at the deepest level of the cascade are deleted first, the roots last. So all remaining
///    rows depend on remaining roots, and resuming finds them by planning from those again.
/// 3. Every chunk is a complete delete by the rules, planned in its own transaction. After each, the rules hold:
///    survivors are cleared, history is written, and no reference dangles that would not after any delete. Rows that deny
///    the chunk or would lose a mandatory destination are added to it if they are pending deletion themselves. If they
///    are not, the job stops; finished chunks stay committed.
/// 4. If other connections have written since, each row is deleted only if it still depends on the roots. Rows that got
///    another owner survive; rows that were added below a root are deleted with their owner.
/// 5. The number of rows and links in a chunk follows from the cost of earlier chunks. Rows are deleted with their links;
///    a row with too many links for one chunk loses them in chunks of their own, and is deleted with the last of them.
///
/// The result equals that of the same delete in one transaction, with one difference: a survivor's version rises, and its
/// history is written, once for every chunk that clears one of its references. The same holds for rows that a later chunk
/// deletes.
package final class DeleteJob: ChunkedDelete {
    package let id: UUID
    package let options: DeleteJobOptions
    /// The number of finished rows of all rows. Cancelling it cancels the job.
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
        /// The writing connection, while the job writes.
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

    /// The current progress. May be read from any thread.
    package var current: DeleteJobProgress { state.withLock { $0.progress } }

    // MARK: Cancelling

    /// Ends this run permanently; `step` throws `CancellationError`. May be called from any thread. The job's record
    /// stays in the file, and the job can be resumed or dropped.
    package func cancel(_ cancellation: DeleteCancellation) {
        state.withLock {
            if $0.cancellation != .now { $0.cancellation = cancellation }
            // Under the lock, the connection cannot have been lent to another caller yet.
            if cancellation == .now { $0.connection?.interrupt() }
        }
    }

    /// `Progress` calls its cancellation handler with a delay.
    package var isCancelled: Bool { progress.isCancelled || state.withLock { $0.cancellation != nil } }

    // MARK: Stepping

    /// Carries out one chunk or, once all rows are deleted, frees some pages. Blocks until that is done.
    /// - Returns: The progress; its phase is `finished` if nothing is left to do.
    /// - Throws: `CancellationError`; `DeleteError.refused`, `DeleteJobError`, `SQLiteError` and the errors of the
    ///   observer. Then the chunk was rolled back, or it was committed and tidying up failed; `current` shows which. The
    ///   call may be repeated, unless the job was dropped or cancelled.
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
            // A statement was interrupted, or the wait for the write lock.
            throw CancellationError()
        }
        return work.progress
    }

    private func publish(_ now: DeleteJobProgress) {
        state.withLock { $0.progress = now }
        let isDone = now.phase == .vacuuming || now.phase == .finished
        // A delete that finds no rows counts as one unit of one.
        progress.setTotal(Int64(isDone ? max(1, now.rowsTotal) : now.rowsTotal))
        progress.completedUnitCount = isDone ? progress.totalUnitCount : Int64(now.rowsDone)
    }

    /// Lends the writing connection, which `cancel` may interrupt.
    private func withWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try store.pool.withWriter { connection in
            state.withLock { $0.connection = connection }
            defer { state.withLock { $0.connection = nil } }
            if isCancelled { throw CancellationError() }
            return try body(connection)
        }
    }

    /// Runs a transaction that the detector of remote changes recognizes as the store's own.
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
        // The last chunk's files are removed, so the record that names them can be removed, too.
        if work.queue.isEmpty, work.progress.phase == .deleting { try deleteChunk(&work) }
    }

    private func request(_ work: JobWork) -> DeleteRequest {
        var request = DeleteRequest(.rows(work.roots))
        request.author = record.author
        request.observer = observer
        if options.keeping == .everyChunk {
            request.recovery = .archived(RecoveryToken(chunk: work.progress.chunkCount, of: id))
        }
        return request
    }

    private func chunk(_ work: inout JobWork, _ connection: Connection) throws -> ChunkPlanner.Chunk {
        work.compare(with: try connection.commitMarker())
        let planner = ChunkPlanner(
            reader: store.saveRunner.deleteRunner.reader(connection), roots: work.roots, counts: record.counts,
            mayHaveMoved: work.mayHaveMoved)
        return try planner.next(&work.queue, work.sizer.limit)
    }

    /// Writes or removes the job's record, as the last step of the transaction.
    private func finish(
        _ result: SavedRows, _ files: [String], _ work: inout JobWork, _ connection: Connection
    ) throws {
        // An interrupt has no effect between two statements.
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
        work.mark = try connection.commitMarker()
    }

    // MARK: Between chunks

    private func tidy(_ work: inout JobWork) throws {
        if options.vacuuming == .betweenChunks, work.progress.phase == .deleting { try vacuum(&work) }
        guard options.checkpoints == .afterEachChunk else { return }
        try withWriter { try $0.withStatement("PRAGMA wal_checkpoint(PASSIVE)") { try $0.run() } }
    }

    /// Frees some pages. The phase ends when none are left, or when the file cannot release any.
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

/// The start of the measurement of one transaction.
private struct Started {
    private let milliseconds: Double
    private let pageCount: Int
    /// The page size in bytes.
    private let pageSize: Int64

    init(_ connection: Connection, _ environment: JobEnvironment) throws {
        pageSize = try connection.pageSize()
        milliseconds = environment.milliseconds()
        pageCount = connection.writtenPageCount
    }

    /// Returns the cost. Does not throw, because the measured transaction is committed already.
    func cost(
        rows: Int, links: Int = 0, _ connection: Connection, _ environment: JobEnvironment
    ) -> ChunkCost {
        let bytes = Int64(connection.writtenPageCount - pageCount) * (pageSize + Self.frameHeader)
        return ChunkCost(
            rows: rows, links: links, milliseconds: environment.milliseconds() - milliseconds, bytes: bytes)
    }

    /// The size of a frame header, which the write-ahead log adds to each page, in bytes.
    private static let frameHeader: Int64 = 24
}
