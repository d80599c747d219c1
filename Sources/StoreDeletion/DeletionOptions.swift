import ObjectGraph

/// What a chunk of a long deletion may cost, and what is done with the rows.
public struct DeletionOptions: Sendable, Hashable {
    /// The most rows in one chunk. Rows that cannot go apart, as in a circle of cascades, are not counted.
    public var rowsPerChunk = 50_000
    /// For how long a chunk may keep others from writing, in milliseconds.
    public var lockMilliseconds: Double = 100
    /// What a chunk may write to the store's journal before it is committed to the file, in bytes.
    public var journalBytes: Int64 = 16 << 20
    /// Whether each chunk is archived, so that it can be restored.
    public var archivesRows = false
    /// Whether free pages are given back to the file system between chunks, where the file was made for that.
    public var compacts = false

    /// Chunks of at most 50,000 rows, 100 milliseconds and 16 MiB, nothing archived.
    public init() {}

    /// - Parameter archiving: whether the rows are archived whatever the options say.
    func jobOptions(archiving: Bool) -> DeleteJobOptions {
        DeleteJobOptions(
            rows: rowsPerChunk, milliseconds: lockMilliseconds, logBytes: journalBytes,
            keeping: archivesRows || archiving ? .everyChunk : .none, vacuuming: compacts ? .betweenChunks : .none)
    }
}
