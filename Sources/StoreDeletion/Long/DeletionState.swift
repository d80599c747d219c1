import ObjectGraph

/// The progress of a long deletion.
public struct DeletionState: Sendable, Hashable {
    /// The phases of a long deletion.
    public enum Phase: String, Sendable, Hashable {
        /// Nothing has been deleted since the deletion was started or resumed.
        case planned
        /// Chunks are being deleted.
        case deleting
        /// All rows are deleted; free pages of the file are being returned to the file system.
        case compacting
        /// The deletion is complete.
        case finished
    }

    /// The current phase.
    public let phase: Phase
    /// The number of rows that are deleted and committed.
    public let done: Int
    /// The number of rows that will have been deleted at the end, as far as it is known; other writers may add some.
    public let total: Int
    /// The number of committed chunks.
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
