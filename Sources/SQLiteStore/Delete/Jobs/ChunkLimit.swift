import ObjectGraph

/// How much one transaction may do.
struct ChunkLimit: Sendable, Hashable {
    /// Rows that go.
    let rows: Int
    /// Links that go: keys of survivors that are cleared, and join rows.
    let links: Int
    /// Both together.
    let total: Int
}
