import AppleFormats
import Foundation

/// A store's files as a whole: the database, its write-ahead log, and the folder of large values. The URL of a symbolic link
/// stands for the file that it leads to.
package enum StoreFiles {
    /// What a file says of itself, read through a connection that cannot write.
    /// - Throws: `StoreOpeningError`, `StoreMetadataError`, `SQLiteError`.
    package static func metadata(at url: URL) throws -> StoreMetadata {
        guard FileManager.default.fileExists(atPath: url.path) else { throw StoreOpeningError.noFile(url.path) }
        let connection = try Connection(.file(url), access: .readOnly)
        return try connection.inTransaction(.reading) { try StoreMetadata(connection) }
    }

    /// Whether a file has a history.
    /// - Throws: `SQLiteError`.
    package static func keepsHistory(at url: URL) throws -> Bool {
        let connection = try Connection(.file(url), access: .readOnly)
        return try connection.inTransaction(.reading) { try FileTables(connection).hasHistory }
    }

    /// Changes what a file says of itself; what concerns its model stays.
    /// - Throws: as above.
    package static func setMetadata(
        at url: URL, _ change: (inout [String: PropertyList]) -> Void
    ) throws {
        let connection = try Connection(.file(url), access: .readWrite)
        try connection.inTransaction(.immediate) { try StoreMetadata.change(connection, change) }
    }

    /// Removes the files. Nobody may be writing to the store meanwhile; a file that is not there is removed already. Large
    /// values stay where another store's may be among them.
    /// - Throws: `SQLiteError` while somebody holds the write lock, and what removing throws.
    package static func remove(at url: URL) throws {
        let url = url.followingLinks
        guard exists(url) else { return }
        try waitForWriters(url)
        let sharesFolder = !neighbours(of: url).isEmpty
        let doomed = sharesFolder ? [url] + companions(of: url) : files(at: url)
        for file in doomed where exists(file) { try FileManager.default.removeItem(at: file) }
    }

    /// Removes a store's files, as `remove(at:)`, and leaves an empty database in its place. Does nothing if there is no file.
    /// - Throws: As `remove(at:)`, and what writing throws.
    package static func empty(at url: URL) throws {
        let url = url.followingLinks
        guard exists(url) else { return }
        try remove(at: url)
        // An empty file is a database without tables.
        try Data().write(to: url)
    }

    /// Copies a store's files to where there are none. Others may go on reading and writing the original: the copy is as it
    /// was at one moment, large values included.
    ///
    /// The database goes through SQLite. Closing a descriptor of it would give up the locks of everybody in this process who
    /// has it open.
    /// - Throws: `CocoaError.fileWriteFileExists`, `SQLiteError`, and what copying throws; nothing is left then.
    package static func copy(from source: URL, to destination: URL) throws {
        let (source, destination) = (source.followingLinks, destination.followingLinks)
        guard !exists(destination) else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
        }
        // Another store may have the folder already.
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

    /// - Parameter taken: gets the names of the large values' files that were copied.
    private static func copyContent(of source: URL, to destination: URL, _ taken: inout [String]) throws {
        let (values, copies) = (ExternalData(storeURL: source), ExternalData(storeURL: destination))
        let reader = try Connection(.file(source), access: .readOnly)
        // Most of them now, so that writers wait for the last few only.
        try copies.take(from: values, &taken)
        guard neighbours(of: destination).isEmpty else {
            return try withoutWriters(source) {
                try reader.copyContent(to: try Connection(.file(destination), access: .create))
                // Until here, the stores that share the folder did not find the copy's references, and may have removed files.
                try copies.take(from: values, &taken)
            }
        }
        try reader.inTransaction(.reading) {
            try withoutWriters(source) {
                // From here on the reader sees this moment. What rows refer to now goes after a later commit only.
                _ = try StoreMetadata(reader)
                try copies.take(from: values, &taken)
            }
            try reader.copyContent(to: try Connection(.file(destination), access: .create))
        }
    }

    /// Runs the body while nobody can commit. A file that may not be written here has its moment without that.
    private static func withoutWriters(_ url: URL, _ body: () throws -> Void) throws {
        let places = [url, url.absoluteURL.deletingLastPathComponent()]
        guard places.allSatisfy({ FileManager.default.isWritableFile(atPath: $0.path) }) else { return try body() }
        try Connection(.file(url), access: .readWrite).withoutWrites(body)
    }

    /// Puts a copy of one store's files in the place of another's. The copy is made beside it, and takes its place when it is
    /// whole: in one transaction where there is a database.
    /// - Parameter closing: called before anything is lost; what it throws keeps what is there.
    /// - Throws: as `copy(from:to:)`; the destination is as it was then.
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
            // The database comes last: without it nothing is a store.
            try FileManager.default.moveItem(at: beside, to: destination)
        }
    }

    /// What is at the place already, opened for writing.
    /// - Returns: `nil` for nothing, and for what another database's pages cannot be written over.
    /// - Throws: `SQLiteError` while somebody holds the write lock.
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

    /// Other stores that keep their large values in the same folder, as their names differ from this one's in the extension
    /// only. What may be a store counts.
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

    /// Whether they are there or not.
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
