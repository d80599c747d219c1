import ObjectGraph

/// How far a long deletion is.
public struct DeletionState: Sendable, Hashable {
    public enum Phase: String, Sendable, Hashable {
        /// Nothing was deleted since it was started or resumed.
        case planned
        case deleting
        /// All rows are gone; free pages of the file are given back.
        case compacting
        case finished
    }

    public let phase: Phase
    /// Rows that are deleted and committed.
    public let done: Int
    /// Rows that will be deleted at the end, as far as is known now: others may add some meanwhile.
    public let total: Int
    /// Chunks that are committed.
    public let chunkCount: Int

    init(_ progress: DeleteJobProgress) {
        phase =
            switch progress.phase {
            case .planned: .planned
            case .deleting: .deleting
            case .vacuuming: .compacting
            case .finished: .finished
            }
        done = progress.rowsDone
        total = progress.rowsTotal
        chunkCount = progress.chunkCount
    }
}
