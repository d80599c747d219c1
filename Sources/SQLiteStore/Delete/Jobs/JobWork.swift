import ObjectGraph

/// The state that one chunk passes to the next. It is a value: a failed chunk leaves it unchanged.
struct JobWork: Sendable {
    let roots: RowSet
    var queue: DeleteQueue
    var sizer: ChunkSizer
    /// Counts pages instead of rows.
    var vacuumSizer: ChunkSizer
    var progress: DeleteJobProgress
    /// The state of the store that the queue is known to match, unless other connections had changed rows before.
    var mark: CommitMarker
    private(set) var mayHaveMoved = false
    /// Files of deleted rows that are not removed yet.
    var oldFiles: [String]

    init(
        _ record: DeleteJobRecord, roots: RowSet, _ queue: DeleteQueue, _ mark: CommitMarker, oldFiles: [String] = []
    ) {
        self.oldFiles = oldFiles
        self.roots = roots
        self.queue = queue
        self.mark = mark
        sizer = ChunkSizer(record.options.budget)
        vacuumSizer = ChunkSizer(record.options.budget)
        progress = DeleteJobProgress(
            rowsDone: record.rowsDone, rowsTotal: record.rowsTotal, chunkCount: record.chunkCount)
    }

    /// Notes whether another connection has written.
    mutating func compare(with now: CommitMarker) {
        if now != mark { mayHaveMoved = true }
    }

    mutating func note(_ cost: ChunkCost) {
        sizer.note(cost)
        progress.lastChunk = cost
    }

    mutating func count(_ chunk: DeletePlan) {
        progress.rowsDone += chunk.deleted.count
        progress.rowsTotal = max(progress.rowsTotal, progress.rowsDone)
        if !chunk.isEmpty { progress.chunkCount += 1 }
    }
}
