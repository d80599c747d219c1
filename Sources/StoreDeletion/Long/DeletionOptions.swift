import ObjectGraph

/// Budgets for the chunks of a long deletion, and whether its rows are archived.
public struct DeletionOptions: Sendable, Hashable {
    /// The maximum number of rows in one chunk: 50,000, unless set.
    ///
    /// Rows that cannot be deleted separately, such as those in a circle of cascades, may exceed it.
    public var rowsPerChunk = 50_000
    /// The time for which a chunk may keep other connections from writing, in milliseconds: 100, unless set.
    public var lockMilliseconds: Double = 100
    /// The number of bytes that a chunk may write to the store's journal before it is committed: 16 MiB, unless set.
    public var journalBytes: Int64 = 16 << 20
    /// A Boolean value that states whether each chunk is archived so that it can be restored: `false`, unless set.
    public var archivesRows = false
    /// A Boolean value that states whether free pages are returned to the file system between chunks: `false`, unless set.
    ///
    /// It has an effect only on files made with SQLite's incremental vacuum.
    public var compacts = false

    /// Creates options for chunks of at most 50,000 rows, 100 milliseconds and 16 MiB, with nothing archived.
    public init() {}

    /// - Parameter archiving: whether rows are archived regardless of the options.
    func jobOptions(archiving: Bool) -> DeleteJobOptions {
        DeleteJobOptions(
            rows: rowsPerChunk, milliseconds: lockMilliseconds, logBytes: journalBytes,
            keeping: archivesRows || archiving ? .everyChunk : .none, vacuuming: compacts ? .betweenChunks : .none)
    }
}
