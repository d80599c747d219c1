import AppleFormats
import ObjectGraph

/// The model that a file was written with.
package enum SourceModel {
    /// The file's own, when it agrees with what the file says of itself, else the one of the candidates that does.
    /// - Throws: `StoreMigrationError.unknownSource`, `StoreMetadataError`, `SQLiteError`.
    package static func find(_ candidates: [Model], _ connection: Connection) throws -> Model {
        let stored = try StoreMetadata(connection).versionHashes
        if let own = try cached(connection), stored.isEmpty || own.versionHashes == stored { return own }
        guard let found = candidates.first(where: { $0.versionHashes == stored }) else {
            throw StoreMigrationError.unknownSource
        }
        return found
    }

    /// One that cannot be understood is as good as none.
    private static func cached(_ connection: Connection) throws -> Model? {
        do {
            return try ModelCache.model(connection)
        } catch is ArchivedModelError {
            return nil
        }
    }
}
