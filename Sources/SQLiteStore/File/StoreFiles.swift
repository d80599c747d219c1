import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// A store's files as a unit: the database, its write-ahead log, and the folder of external values. The URL of a symbolic
/// link stands for its destination.
package enum StoreFiles {
    /// Reads a file's metadata through a read-only connection.
    /// - Throws: `StoreOpeningError`, `StoreMetadataError`, `SQLiteError`.
    package static func metadata(at url: URL) throws -> StoreMetadata {
        guard FileManager.default.fileExists(atPath: url.path) else { throw StoreOpeningError.noFile(url.path) }
        let connection = try Connection(.file(url), access: .readOnly)
        return try connection.inTransaction(.reading) { try StoreMetadata(connection) }
    }

    /// Whether a file records history.
    /// - Throws: `SQLiteError`.
    package static func recordsHistory(at url: URL) throws -> Bool {
        let connection = try Connection(.file(url), access: .readOnly)
        return try connection.inTransaction(.reading) { try FileTables(connection).hasHistory }
    }

    /// Changes a file's metadata, except for entries about its model.
    /// - Throws: The errors of `metadata(at:)`.
    package static func setMetadata(
        at url: URL, _ change: (inout [String: PropertyList]) -> Void
    ) throws {
        let connection = try Connection(.file(url), access: .readWrite)
        try connection.inTransaction(.immediate) { try StoreMetadata.change(connection, change) }
    }

    /// Removes the files. No other process may write to the store meanwhile; missing files are ignored. The folder of
    /// external values stays if another store may use it.
    /// - Throws: `SQLiteError` while another connection holds the write lock, and errors of the removal.
    package static func remove(at url: URL) throws {
        let url = url.followingLinks
        guard exists(url) else { return }
        try waitForWriters(url)
        let sharesFolder = !neighbours(of: url).isEmpty
        let removedFiles = sharesFolder ? [url] + companions(of: url) : files(at: url)
        for file in removedFiles where exists(file) { try FileManager.default.removeItem(at: file) }
    }

    /// Removes a store's files like `remove(at:)`, and leaves an empty database in its place. Does nothing if there is no
    /// file.
    /// - Throws: The errors of `remove(at:)`, and errors of the write.
    package static func empty(at url: URL) throws {
        let url = url.followingLinks
        guard exists(url) else { return }
        try remove(at: url)
        // An empty file is a database without tables.
        try Data().write(to: url)
    }

    /// Copies a store's files to a place that has none. Other processes may read and write the original meanwhile: the
    /// copy has one consistent state, including external values.
    ///
    /// The database is copied through SQLite. Closing a plain descriptor of it would release the locks of all connections
    /// in this process.
    /// - Throws: `CocoaError.fileWriteFileExists`, `SQLiteError`, and errors of the copy; then nothing is left at the
    ///   destination.
    package static func copy(from source: URL, to destination: URL) throws {
        let (source, destination) = (source.followingLinks, destination.followingLinks)
        guard !exists(destination) else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
        }
        // Another store may already use the folder.
        let hasFolder = exists(supportFolder(of: destination))
        var taken: [String] = []
        do {
            try copyContent(of: source, to: destination, &taken)
        } catch {
            ExternalData(storeURL: destination).remove(taken)
            let made = hasFolder ? [destination] + companions(of: destination) : files(at: destination)
            for file in made { try? FileManager.default.removeItem(at: file) }
            throw error
        }
    }

    /// - Parameter taken: Receives the names of the external files that were copied.
    private static func copyContent(of source: URL, to destination: URL, _ taken: inout [String]) throws {
        let (values, copies) = (ExternalData(storeURL: source), ExternalData(storeURL: destination))
        let reader = try Connection(.file(source), access: .readOnly)
        // Copies most files before writers are blocked, which then wait for the last few only.
        try copies.take(from: values, &taken)
        guard neighbours(of: destination).isEmpty else {
            return try withoutWriters(source) {
                try reader.copyContent(to: try Connection(.file(destination), access: .create))
                // Until here, stores that share the folder could not see the copy's references, and may have removed files.
                try copies.take(from: values, &taken)
            }
        }
        try reader.inTransaction(.reading) {
            try withoutWriters(source) {
                // From here on the reader sees one state. Files that its rows refer to are removed only after a later commit.
                _ = try StoreMetadata(reader)
                try copies.take(from: values, &taken)
            }
            try reader.copyContent(to: try Connection(.file(destination), access: .create))
        }
    }

    /// Runs the body while no connection can commit. A file that cannot be written here needs no lock.
    private static func withoutWriters(_ url: URL, _ body: () throws -> Void) throws {
        let places = [url, url.absoluteURL.deletingLastPathComponent()]
        guard places.allSatisfy({ FileManager.default.isWritableFile(atPath: $0.path) }) else { return try body() }
        try Connection(.file(url), access: .readWrite).withoutWrites(body)
    }

    /// Replaces a store's files by a copy of another's. The copy is made beside the destination and moved there when
    /// complete; an existing database is overwritten in one transaction.
    /// - Parameter closing: Called before any existing data is lost. An error thrown here keeps it.
    /// - Throws: The errors of `copy(from:to:)`; then the destination is unchanged.
    package static func replace(_ destination: URL, byCopyOf source: URL, closing: () throws -> Void) throws {
        let destination = destination.followingLinks
        let beside = destination.deletingLastPathComponent()
            .appendingPathComponent("replacing-\(UUID().uuidString).\(destination.pathExtension)")
        defer { for file in files(at: beside) { try? FileManager.default.removeItem(at: file) } }
        try copy(from: source, to: beside)
        try closing()
        if let target = try database(at: destination, with: beside) {
            try overwrite(target, at: destination, with: beside)
        } else {
            try remove(at: destination)
            try ExternalData(storeURL: destination).take(from: ExternalData(storeURL: beside))
            // The database is moved last, because without it the other files are no store.
            try FileManager.default.moveItem(at: beside, to: destination)
        }
    }

    /// Opens the existing database for writing.
    /// - Returns: `nil` if there is none, and for a file that cannot be overwritten with the other database's pages.
    /// - Throws: `SQLiteError` while another connection holds the write lock.
    private static func database(at url: URL, with other: URL) throws -> Connection? {
        guard exists(url) else { return nil }
        try waitForWriters(url)
        guard let connection = try? Connection(.file(url), access: .readWrite),
            let size = try? connection.pageSize(),
            size == (try Connection(.file(other), access: .readOnly).pageSize())
        else { return nil }
        return connection
    }

    private static func overwrite(_ target: Connection, at destination: URL, with beside: URL) throws {
        let (values, copies) = (ExternalData(storeURL: destination), ExternalData(storeURL: beside))
        let former = neighbours(of: destination).isEmpty ? try values.storedFileNames() : []
        let made = try values.take(from: copies)
        do {
            if !made.isEmpty { try values.synchronizeFolder() }
            try target.withDurableCommits {
                try Connection(.file(beside), access: .readOnly).copyContent(to: target)
            }
        } catch {
            values.remove(made)
            throw error
        }
        values.remove(former.subtracting(try copies.storedFileNames()))
    }

    /// Returns other stores with the same folder of external values, because their names differ only in the extension.
    /// Includes files that may be stores.
    static func neighbours(of url: URL) -> [URL] {
        let url = url.followingLinks
        let (folder, stem) = (
            url.absoluteURL.deletingLastPathComponent(), url.deletingPathExtension().lastPathComponent
        )
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0 != url.lastPathComponent && !isCompanion($0) }
            .map { folder.appendingPathComponent($0) }
            .filter { $0.deletingPathExtension().lastPathComponent == stem && mayBeStore($0) }
    }

    private static func mayBeStore(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
            return false
        }
        do {
            _ = try metadata(at: url)
            return true
        } catch let error as SQLiteError {
            return !error.isOfAnotherFormat
        } catch {
            return true
        }
    }

    /// Returns the URLs of all of a store's files, whether they exist or not.
    private static func files(at url: URL) -> [URL] { [url] + companions(of: url) + [supportFolder(of: url)] }

    /// Waits until no connection holds the write lock, for two seconds at most. A file that is not a database has no lock.
    /// - Throws: `SQLiteError` if a connection still holds it.
    package static func waitForWriters(_ url: URL) throws {
        do {
            let connection = try Connection(.file(url), access: .readWrite)
            connection.busyTimeout = 2
            try connection.withoutWrites {}
        } catch let error as SQLiteError where !error.isBusy {
            return
        }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func companion(of url: URL, _ suffix: String) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(url.lastPathComponent + suffix)
    }

    private static let companionSuffixes = ["-wal", "-shm", "-journal"]

    private static func companions(of url: URL) -> [URL] { companionSuffixes.map { companion(of: url, $0) } }

    private static func isCompanion(_ name: String) -> Bool { companionSuffixes.contains { name.hasSuffix($0) } }

    private static func supportFolder(of url: URL) -> URL {
        ExternalData(storeURL: url).folder.deletingLastPathComponent()
    }
}
