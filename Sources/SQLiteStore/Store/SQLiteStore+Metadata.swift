import AppleFormats
import Foundation
import ObjectGraph

extension SQLiteStore: MetadataKeeping {
    package var fileURL: URL? { if case .file(let url) = location { url } else { nil } }

    package func storedMetadata() throws -> StoreMetadata? { try fileURL.map(StoreFiles.metadata) }

    /// Changes the file's metadata with the next save. Entries about the model are not affected.
    package func changeMetadataWithNextSave(_ change: MetadataChange) {
        metadataChange.withLock { $0.append(change) }
    }

    /// Writes the pending change, if there is one.
    /// - Throws: The errors of a save; the change then stays pending.
    package func saveMetadata() throws {
        if metadataChange.withLock({ !$0.isEmpty }) { _ = try save(ChangeSet()) }
    }

    /// Runs a save with the pending change, which stays pending if nothing is saved.
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
