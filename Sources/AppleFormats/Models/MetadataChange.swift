/// Changes to a store's metadata that are not written yet.
package struct MetadataChange: Sendable {
    /// The new values; `nil` for a removed key.
    private var entries: [String: PropertyList?]

    package init(_ entries: [String: PropertyList?]) { self.entries = entries }

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds later changes, which take precedence.
    package mutating func append(_ later: MetadataChange) { entries.merge(later.entries) { $1 } }

    package func apply(to metadata: inout [String: PropertyList]) {
        for (key, value) in entries { metadata[key] = value }
    }
}
