import SQLiteStore

/// How far a long batch delete is.
public struct BatchDeletionState: Sendable, Hashable {
    public enum Phase: String, Sendable, Hashable {
        case planned
        case deleting
        /// All rows are gone; free pages of the file are given back.
        case vacuuming
        case finished
    }

    public let phase: Phase
    /// Rows gone for good.
    public let done: Int
    /// Rows that will be gone at the end, as far as is known now.
    public let total: Int
    public let chunkCount: Int

    init(_ progress: DeleteJobProgress) {
        phase = Phase(rawValue: progress.phase.rawValue) ?? .deleting
        done = progress.rowsDone
        total = progress.rowsTotal
        chunkCount = progress.chunkCount
    }
}
