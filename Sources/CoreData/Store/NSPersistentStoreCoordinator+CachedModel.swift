import AppleFormats
import Foundation
import SQLiteStore

extension NSPersistentStoreCoordinator {
    /// The model that a store was last written with, as the store itself keeps it: enough to open the store with, without
    /// the program that made it.
    /// - Throws: `CocoaError` 134080 for a file that is no store or whose model cannot be read, 134130 for a store that
    ///   keeps none.
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
