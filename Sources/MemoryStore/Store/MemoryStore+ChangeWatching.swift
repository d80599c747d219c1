import ObjectGraph

extension MemoryStore: Store {
    /// Returns no changes: no other process or connection can access the rows.
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}
