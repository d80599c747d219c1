import ObjectGraph

/// The maximum size of one chunk.
struct ChunkLimit: Sendable, Hashable {
    /// The number of deleted rows.
    let rows: Int
    /// The number of removed links: cleared keys of survivors, and join rows.
    let links: Int
    /// The sum of both.
    let total: Int
}
