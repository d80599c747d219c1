import Foundation
import ObjectGraph

/// A store that keeps metadata in Apple's format beside its rows: in its file, if it has one.
package protocol MetadataKeeping: AnyObject, Sendable {
    /// The store's file; `nil` for a store in memory.
    var fileURL: URL? { get }

    /// Returns the metadata in the file; `nil` for a store in memory.
    func storedMetadata() throws -> StoreMetadata?

    /// Changes the file's metadata with the next save. Entries about the model are not affected.
    func changeMetadataWithNextSave(_ change: MetadataChange)

    /// Writes the pending change, if there is one.
    /// - Throws: The errors of a save; the change then stays pending.
    func saveMetadata() throws
}

extension Store {
    /// `nil` for a store without such metadata; see `Store+Capabilities`.
    package var metadataKeeping: (any MetadataKeeping)? { capable as? any MetadataKeeping }
}
