import AppleFormats
import ObjectGraph

/// Checks whether a file matches a model, by version hashes alone. The file's own model only serves to describe the
/// differences.
package enum StoreCompatibility {
    /// - Parameter cachedModel: Returns the file's own model; called only if there are differences.
    /// - Throws: `IncompatibleStoreError`.
    package static func check(
        _ model: Model, _ metadata: StoreMetadata, cachedModel: () -> Model?
    ) throws(IncompatibleStoreError) {
        let (wanted, stored) = (model.versionHashes, metadata.versionHashes)
        let version = metadata.versionHashesVersion
        guard wanted != stored || version != VersionHash.currentVersion else { return }
        let common = wanted.keys.filter { stored[$0] != nil && stored[$0] != wanted[$0] }
        let cached = cachedModel()
        throw IncompatibleStoreError(
            missing: sorted(wanted.keys.filter { stored[$0] == nil }),
            extra: sorted(stored.keys.filter { wanted[$0] == nil }),
            different: sorted(common).map { EntityDifference(named: $0, model, cached) }, hashesVersion: version)
    }

    private static func sorted(_ names: some Sequence<String>) -> [String] {
        names.sorted { $0.precedesByBytes($1) }
    }
}
