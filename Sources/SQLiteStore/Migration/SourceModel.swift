import AppleFormats
import ObjectGraph

/// Finds the model that a file was written with.
package enum SourceModel {
    /// Returns the file's own model if it matches the file's version hashes, otherwise the candidate that does.
    /// - Throws: `StoreMigrationError.unknownSource`, `StoreMetadataError`, `SQLiteError`.
    package static func find(_ candidates: [Model], _ connection: Connection) throws -> Model {
        let stored = try StoreMetadata(connection).versionHashes
        if let own = try cached(connection), stored.isEmpty || own.versionHashes == stored { return own }
        guard let found = candidates.first(where: { $0.versionHashes == stored }) else {
            throw StoreMigrationError.unknownSource
        }
        return found
    }

    /// A cached model that cannot be decoded counts as missing.
    private static func cached(_ connection: Connection) throws -> Model? {
        do {
            return try ModelCache.model(connection)
        } catch is ArchivedModelError {
            return nil
        }
    }
}
