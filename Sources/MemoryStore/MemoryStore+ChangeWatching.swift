import ObjectGraph

extension MemoryStore: Store {
    /// Nothing: no other process or connection reaches the rows.
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}
