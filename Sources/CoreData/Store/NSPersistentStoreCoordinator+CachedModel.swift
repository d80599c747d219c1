import AppleFormats
import Foundation
import SQLiteStore

extension NSPersistentStoreCoordinator {
    /// Returns the model that a store was last written with, as the file itself contains it. It suffices to open the store
    /// without the program that made it.
    /// - Parameters:
    ///   - url: the URL of a SQLite store.
    ///   - options: have no effect.
    /// - Returns: The model.
    /// - Throws: `CocoaError` 134080 for a file that is not a store or whose model cannot be read, 134130 for a store that
    ///   contains no model.
    public class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        let compiled: CompiledModel?
        do {
            compiled = try CompiledModel(storeAt: url)
        } catch {
            throw ErrorMapping.opening(error)
        }
        guard let compiled else {
            throw CocoaError(
                .migrationMissingSourceModel,
                text: "'\(url.lastPathComponent)' keeps no model; open it with the program's.")
        }
        return NSManagedObjectModel(compiled)
    }
}
