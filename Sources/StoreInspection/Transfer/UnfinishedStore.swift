import Foundation
import SQLiteStore

/// A store that is made in a folder of its own beside its place, and comes there when it is whole.
package struct UnfinishedStore {
    /// Where to make it.
    package let url: URL
    private let target: URL
    private let folder: PrivateFolder

    /// - Throws: as `checkFree`; `InspectionError.badInput`.
    package init(_ target: URL) throws {
        try Self.checkFree(target)
        self.target = target
        let parent = target.deletingLastPathComponent()
        do {
            folder = try PrivateFolder(in: parent, prefix: ".\(target.lastPathComponent)_IMPORT-")
        } catch {
            throw InspectionError.badInput(
                "Nothing can be made in \(parent.path); check that it is there and may be written.")
        }
        url = folder.url.appendingPathComponent(target.lastPathComponent)
    }

    /// A log or a journal that somebody left would be taken for the new store's.
    /// - Throws: `InspectionError.alreadyThere`.
    package static func checkFree(_ target: URL) throws {
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: target.path + suffix) {
            throw InspectionError.alreadyThere(target.path + suffix)
        }
    }

    /// Gives it its name. It must have been closed.
    /// - Throws: as `checkFree`; `InspectionError.badInput`, `SQLiteError`, and what linking files throws.
    package func finish() throws {
        guard try Connection(.file(url), access: .readWrite).emptyLog() else {
            throw InspectionError.badInput("\(url.path) is still open.")
        }
        try Self.checkFree(target)
        let values = ExternalData(storeURL: target)
        try values.take(from: ExternalData(storeURL: url))
        try values.synchronizeFiles()
        // Last: without it nothing is a store.
        try FinalName.give(target, to: url)
    }

    package func remove() { folder.remove() }
}
