import ObjectGraph

extension MemoryStore {
    /// Nothing: no other process or connection reaches the rows.
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}

extension MemoryStore: BatchStore {}
