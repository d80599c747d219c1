import ObjectGraph

/// What one chunk leaves to the next. A value: a chunk that fails leaves it as it was.
struct JobWork: Sendable {
    let roots: RowSet
    var queue: DeleteQueue
    var sizer: ChunkSizer
    /// In pages in place of rows.
    var vacuumSizer: ChunkSizer
    var progress: DeleteJobProgress
    /// The state the queue is known to be true of, unless others have changed rows already.
    var mark: StoreMoment
    private(set) var mayHaveMoved = false
    /// Files of rows that are gone, still to be removed.
    var oldFiles: [String]

    init(
        _ record: DeleteJobRecord, roots: RowSet, _ queue: DeleteQueue, _ mark: StoreMoment, oldFiles: [String] = []
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

    /// Remembers that others wrote.
    mutating func compare(with now: StoreMoment) {
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
