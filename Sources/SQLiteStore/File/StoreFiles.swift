import Foundation

/// A store's files as a whole: the database, its write-ahead log, and the folder of large values.
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
        try connection.inTransaction(.immediate) {
            var metadata = try StoreMetadata(connection)
            change(&metadata.propertyList)
            try metadata.write(connection)
        }
    }

    /// Removes the files. Nobody may be writing to the store meanwhile; a file that is not there is removed already.
    /// - Throws: `SQLiteError` while somebody holds the write lock, and what removing throws.
    package static func remove(at url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try waitForWriters(url)
        for file in files(at: url) where exists(file) {
            try FileManager.default.removeItem(at: file)
        }
    }

    /// Copies a store's files to where there are none. Others may go on reading and writing the original: the copy is as it
    /// was at one moment.
    /// - Throws: `SQLiteError`, and what copying throws.
    package static func copy(from source: URL, to destination: URL) throws {
        let reader = try Connection(.file(source), access: .readOnly)
        // While somebody reads a state of the log, the log is not begun anew: database and log together hold that state.
        try reader.inTransaction(.reading) {
            _ = try StoreMetadata(reader)
            try FileManager.default.copyItem(at: source, to: destination)
            let log = companion(of: source, "-wal")
            if exists(log) { try FileManager.default.copyItem(at: log, to: companion(of: destination, "-wal")) }
            let folder = supportFolder(of: source)
            if exists(folder) { try FileManager.default.copyItem(at: folder, to: supportFolder(of: destination)) }
        }
    }

    /// Puts a copy of one store's files in the place of another's. The copy is made beside it, and takes its place when it is
    /// whole.
    /// - Parameter removing: takes away what is there now; what it throws keeps it.
    /// - Throws: as `copy(from:to:)`; the destination is as it was then.
    package static func replace(_ destination: URL, byCopyOf source: URL, removing: () throws -> Void) throws {
        let beside = destination.deletingLastPathComponent()
            .appendingPathComponent("replacing-\(UUID().uuidString).\(destination.pathExtension)")
        do {
            try copy(from: source, to: beside)
            try removing()
        } catch {
            for file in files(at: beside) { try? FileManager.default.removeItem(at: file) }
            throw error
        }
        // The database comes last: without it nothing is a store.
        for (from, to) in zip(files(at: beside), files(at: destination)).reversed() where exists(from) {
            try FileManager.default.moveItem(at: from, to: to)
        }
    }

    /// Whether they are there or not.
    private static func files(at url: URL) -> [URL] { [url] + companions(of: url) + [supportFolder(of: url)] }

    /// Waits two seconds at most. What is not a database is nobody's to lock.
    /// - Throws: `SQLiteError` while somebody holds the write lock.
    package static func waitForWriters(_ url: URL) throws {
        do {
            let connection = try Connection(.file(url), access: .readWrite)
            connection.busyTimeout = 2
            try connection.inTransaction(.immediate) {}
        } catch let error as SQLiteError where !error.isBusy {
            return
        }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func companion(of url: URL, _ suffix: String) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(url.lastPathComponent + suffix)
    }

    private static func companions(of url: URL) -> [URL] {
        ["-wal", "-shm", "-journal"].map { companion(of: url, $0) }
    }

    private static func supportFolder(of url: URL) -> URL {
        ExternalData(storeURL: url).folder.deletingLastPathComponent()
    }
}
