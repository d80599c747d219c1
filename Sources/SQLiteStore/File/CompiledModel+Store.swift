import AppleFormats
import Foundation
import ObjectGraph

extension CompiledModel {
    /// Reads the model cached in a store, through a read-only connection.
    /// - Returns: `nil` for a store without one.
    /// - Throws: `ArchivedModelError`, `StoreOpeningError`, `SQLiteError`.
    package init?(storeAt url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { throw StoreOpeningError.noFile(url.path) }
        let connection = try Connection(.file(url), access: .readOnly)
        let cache = try connection.inTransaction(.reading) { try ModelCache.content(connection) }
        guard let cache, !cache.isEmpty else { return nil }
        try self.init(cache: cache)
    }
}
