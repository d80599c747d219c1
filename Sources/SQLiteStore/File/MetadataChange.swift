import AppleFormats
import ObjectGraph

/// What a program set of a store's metadata, on its way into the file.
package struct MetadataChange: Sendable {
    /// `nil` for what goes.
    private var entries: [String: PropertyList?]

    package init(_ entries: [String: PropertyList?]) { self.entries = entries }

    var isEmpty: Bool { entries.isEmpty }

    /// What both change is as the later one has it.
    mutating func append(_ later: MetadataChange) { entries.merge(later.entries) { $1 } }

    func apply(to metadata: inout [String: PropertyList]) {
        for (key, value) in entries { metadata[key] = value }
    }
}

extension SQLiteStore {
    /// Changes what the file says of itself, with the next save. What concerns the model stays.
    package func changeMetadataWithNextSave(_ change: MetadataChange) {
        metadataChange.withLock { $0.append(change) }
    }

    /// Writes the pending change, if there is one.
    /// - Throws: what a save throws; the change stays pending then.
    package func saveMetadata() throws {
        if metadataChange.withLock({ !$0.isEmpty }) { _ = try save(ChangeSet()) }
    }

    /// Runs a save with the pending change, which stays pending where nothing is saved.
    func withMetadataChange(_ body: (MetadataChange) throws -> SaveResult) rethrows -> SaveResult {
        let change = metadataChange.withLock { pending in
            defer { pending = MetadataChange([:]) }
            return pending
        }
        var isSaved = false
        defer {
            if !isSaved {
                metadataChange.withLock { pending in
                    var whole = change
                    whole.append(pending)
                    pending = whole
                }
            }
        }
        let result = try body(change)
        if case .saved = result { isSaved = true }
        return result
    }
}
