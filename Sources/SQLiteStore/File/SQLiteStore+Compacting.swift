import Foundation
import ObjectGraph

extension SQLiteStore {
    /// Writes the file anew without its free pages, and empties the write-ahead log into it. Needs room meanwhile for a
    /// second copy beside it, and for a third where temporary files are.
    /// - Returns: whether the log could be emptied; not while others read.
    /// - Throws: `StoreAccessError.readOnly`, `.notEnoughDisk`, `SQLiteError`.
    @discardableResult
    package func compact() throws -> Bool { try compact(JobEnvironment()) }

    @discardableResult
    func compact(_ environment: JobEnvironment) throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.emptyLog()
            try checkDisk(connection, environment)
            try connection.withTemporaryFiles { try connection.execute("VACUUM") }
            return try connection.emptyLog()
        }
    }

    private func checkDisk(_ connection: Connection, _ environment: JobEnvironment) throws {
        guard case .file(let url) = location else { return }
        let needed = try StoreFileFacts.size(connection) - Int64(connection.freePageCount()) * connection.pageSize()
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(url.lastPathComponent)
        for place in [url, temporary] {
            guard let available = environment.freeBytes(place), available < needed else { continue }
            throw StoreAccessError.notEnoughDisk(needed: needed, available: available)
        }
    }

    /// Counts what is in tables and indexes, so that SQLite chooses well between indexes. What it finds stays in the file.
    package func analyze() throws {
        try pool.withWriter { try $0.execute("ANALYZE") }
    }

    /// Writes the log back into the file and empties it.
    /// - Returns: whether that was possible; not while others read.
    @discardableResult
    package func checkpoint() throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { try $0.emptyLog() }
    }
}

extension Connection {
    /// - Returns: whether all of the log is in the file now, and the log is empty. True for a file without log.
    @discardableResult
    package func emptyLog() throws -> Bool {
        try withStatement("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.step() ? $0.integer(at: 0) == 0 : true }
    }
}
