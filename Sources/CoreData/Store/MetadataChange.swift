import SQLiteStore

/// What a program set of a store's metadata, on its way into the file.
struct MetadataChange {
    /// What was set or taken away.
    let keys: Set<String>
    private let values: [String: PropertyList]
    private let removed: Set<String>

    /// - Parameter metadata: as the program left them. What a property list cannot hold, and what a program cannot set, stays
    ///   in the file as it is.
    init(keys: Set<String>, _ metadata: [String: Any]) {
        self.keys = keys
        var values: [String: PropertyList] = [:]
        values.takeOwn(metadata.filter { keys.contains($0.key) })
        self.values = values
        removed = keys.subtracting(metadata.keys).subtracting(StoreMetadata.ownKeys)
    }

    func apply(to entries: inout [String: PropertyList]) {
        for key in removed { entries[key] = nil }
        entries.merge(values) { $1 }
    }
}
