import SQLiteStore

/// What one may choose about a long batch delete.
public struct BatchDeletionOptions: Sendable, Hashable {
    /// The most rows in one chunk, those not counted that cannot go apart.
    public var rowsPerChunk = 50_000
    /// For how long a chunk may keep others from writing, in milliseconds.
    public var lockMilliseconds: Double = 100
    /// What a chunk may write to the write-ahead log, in bytes.
    public var logBytes: Int64 = 16 << 20
    /// Whether free pages are given back to the file system between chunks, where the file was made for that.
    public var vacuums = false

    public init() {}

    func jobOptions(_ keeping: DeleteJobOptions.Keeping) -> DeleteJobOptions {
        DeleteJobOptions(
            rows: rowsPerChunk, milliseconds: lockMilliseconds, logBytes: logBytes, keeping: keeping,
            vacuuming: vacuums ? .betweenChunks : .none)
    }
}
