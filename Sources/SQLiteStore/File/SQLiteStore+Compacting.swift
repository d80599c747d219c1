import Foundation
import ObjectGraph

extension SQLiteStore {
    /// Writes the file anew without its free pages, and empties the write-ahead log into it. Needs room meanwhile for a
    /// second copy beside it, and for a third where temporary files are.
    /// - Parameter meter: told how far it is.
    /// - Returns: whether the log could be emptied; not while others read.
    /// - Throws: `StoreAccessError.readOnly`, `.notEnoughDisk`, `SQLiteError`.
    @discardableResult
    package func compact(_ meter: WorkMeter = WorkMeter()) throws -> Bool { try compact(JobEnvironment(), meter) }

    @discardableResult
    func compact(_ environment: JobEnvironment, _ meter: WorkMeter = WorkMeter()) throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.emptyLog()
            try checkDisk(connection, environment)
            try rewrite(connection, meter)
            return try emptyLog(connection, meter.part(0.8...1))
        }
    }

    /// SQLite reads every page to write the database anew in temporary files, of which it tells, and then copies that back
    /// through the log, of which only the log's size does.
    private func rewrite(_ connection: Connection, _ meter: WorkMeter) throws {
        let (reading, copying) = (meter.part(0...0.5), meter.part(0.5...0.8))
        let pageCount = Double(max(1, try connection.pageCount()))
        let size = Double(max(1, try sizeWithoutFreePages(connection)))
        let log = logURL
        let copied: @Sendable () -> Double? = {
            let written = log.flatMap { FileStamp($0)?.size } ?? 0
            return written > 0 ? Double(written) / size : nil
        }
        try connection.tellingPages({ reading.tell(Double($0) / pageCount) }) {
            try copying.watching(copied) {
                try connection.withTemporaryFiles { try connection.execute("VACUUM") }
            }
        }
    }

    private var logURL: URL? {
        if case .file(let url) = location { DatabaseFile.sibling(url, "-wal") } else { nil }
    }

    /// SQLite tells nothing of it, but the system tells what the thread writes: each page of the log once, to the database.
    private func emptyLog(_ connection: Connection, _ meter: WorkMeter) throws -> Bool {
        defer { meter.tell(1) }
        let written = WrittenBytes()
        let size = Double(max(1, logURL.flatMap { FileStamp($0)?.size } ?? 0))
        return try meter.watching({ written?.count.map { Double($0) / size } }) { try connection.emptyLog() }
    }

    private func sizeWithoutFreePages(_ connection: Connection) throws -> Int64 {
        try StoreFileFacts.size(connection) - Int64(connection.freePageCount()) * connection.pageSize()
    }

    /// Whether there is room to write the file anew.
    /// - Throws: `StoreAccessError.notEnoughDisk`, `SQLiteError`.
    func checkDisk(_ connection: Connection, _ environment: JobEnvironment) throws {
        guard case .file(let url) = location else { return }
        let needed = try sizeWithoutFreePages(connection)
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
