import Foundation
import SQLiteStore

/// A store created in a private folder next to its final location, and moved there when it is complete.
package struct UnfinishedStore {
    /// The temporary location of the store.
    package let url: URL
    private let target: URL
    private let folder: PrivateFolder

    /// - Throws: errors of `checkFree`; `InspectionError.badInput`.
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

    /// Checks that no file has the store's name, and that there is no leftover log or journal, which SQLite would treat
    /// as the new store's.
    /// - Throws: `InspectionError.alreadyThere`.
    package static func checkFree(_ target: URL) throws {
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: target.path + suffix) {
            throw InspectionError.alreadyThere(target.path + suffix)
        }
    }

    /// Moves the store to its final name. It must be closed.
    /// - Throws: errors of `checkFree`; `InspectionError.badInput`, `SQLiteError`, and errors of linking files.
    package func finish() throws {
        guard try Connection(.file(url), access: .readWrite).emptyLog() else {
            throw InspectionError.badInput("\(url.path) is still open.")
        }
        try Self.checkFree(target)
        let values = ExternalData(storeURL: target)
        try values.take(from: ExternalData(storeURL: url))
        try values.synchronizeFiles()
        // The database file comes last: without it, the other files are no store.
        try FinalName.give(target, to: url)
    }

    package func remove() { folder.remove() }
}
