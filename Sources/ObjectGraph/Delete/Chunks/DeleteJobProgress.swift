/// The progress of a long deletion.
package struct DeleteJobProgress: Sendable, Hashable {
    package var phase = Phase.planned
    /// The number of rows deleted by committed chunks of this and earlier runs.
    package var rowsDone: Int
    /// The expected number of deleted rows at the end. It changes if others add rows below the roots, or remove some.
    package var rowsTotal: Int
    package var chunkCount: Int
    package var lastChunk: ChunkCost?

    package init(
        phase: Phase = .planned, rowsDone: Int, rowsTotal: Int, chunkCount: Int, lastChunk: ChunkCost? = nil
    ) {
        self.phase = phase
        self.lastChunk = lastChunk
        self.rowsDone = rowsDone
        self.rowsTotal = rowsTotal
        self.chunkCount = chunkCount
    }

    package enum Phase: String, Sendable, Hashable {
        /// The plan is known; this run has not deleted anything yet.
        case planned
        case deleting
        /// All rows are deleted; free pages are being returned.
        case vacuuming
        case finished
    }
}

/// The size and cost of one transaction.
package struct ChunkCost: Sendable, Hashable {
    package let rows: Int
    /// Nullified references of survivors, and deleted join rows.
    package let links: Int
    /// The time from acquiring the write lock to the end of the commit.
    package let milliseconds: Double
    /// The bytes written to the write-ahead log.
    package let bytes: Int64

    package init(rows: Int, links: Int = 0, milliseconds: Double, bytes: Int64) {
        self.rows = rows
        self.links = links
        self.milliseconds = milliseconds
        self.bytes = bytes
    }
}
