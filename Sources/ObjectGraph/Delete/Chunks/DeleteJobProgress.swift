/// How far a delete is.
package struct DeleteJobProgress: Sendable, Hashable {
    package var phase = Phase.planned
    /// Rows that are gone for good, by this and earlier runs of the job.
    package var rowsDone: Int
    /// What will be gone at the end as far as is known now: others may add rows below the roots, or take some away.
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
        /// It is known what goes; this run has not deleted anything yet.
        case planned
        case deleting
        /// All rows are gone; free pages are given back.
        case vacuuming
        case finished
    }
}

/// What one transaction did, and what that cost.
package struct ChunkCost: Sendable, Hashable {
    package let rows: Int
    /// Keys of survivors that were cleared, and join rows that went.
    package let links: Int
    /// From having the write lock to having committed.
    package let milliseconds: Double
    /// Written to the write-ahead log.
    package let bytes: Int64

    package init(rows: Int, links: Int = 0, milliseconds: Double, bytes: Int64) {
        self.rows = rows
        self.links = links
        self.milliseconds = milliseconds
        self.bytes = bytes
    }
}
