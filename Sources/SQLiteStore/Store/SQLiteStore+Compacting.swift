import Foundation
import ObjectGraph

extension SQLiteStore {
    /// Rewrites the file without its free pages, and empties the write-ahead log. Needs disk space for a second copy
    /// beside the file, and for a third in the folder for temporary files.
    /// - Parameter meter: Receives the progress.
    /// - Returns: Whether the log could be emptied. It cannot while other connections read.
    /// - Throws: `StoreAccessError.readOnly`, `.notEnoughDisk`, `SQLiteError`.
    @discardableResult
    package func compact(_ meter: ProgressMeter = ProgressMeter()) throws -> Bool {
        try compact(JobEnvironment(), meter)
    }

    @discardableResult
    func compact(_ environment: JobEnvironment, _ meter: ProgressMeter = ProgressMeter()) throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.emptyLog()
            try checkDisk(connection, environment)
            try rewrite(connection, meter)
            return try emptyLog(connection, meter.part(0.8...1))
        }
    }

    /// `VACUUM` first reads every page to write a new database to temporary files, which SQLite reports. Then it copies
    /// that back through the log; of this part, only the size of the log shows the progress.
    private func rewrite(_ connection: Connection, _ meter: ProgressMeter) throws {
        let (reading, copying) = (meter.part(0...0.5), meter.part(0.5...0.8))
        let pageCount = Double(max(1, try connection.pageCount()))
        let size = Double(max(1, try sizeWithoutFreePages(connection)))
        let log = logURL
        let copied: @Sendable () -> Double? = {
            let written = log.flatMap { FileStamp($0)?.size } ?? 0
            return written > 0 ? Double(written) / size : nil
        }
        try connection.reportingPages({ reading.report(Double($0) / pageCount) }) {
            try copying.watching(copied) {
                try connection.withTemporaryFiles { try connection.execute("VACUUM") }
            }
        }
    }

    private var logURL: URL? {
        if case .file(let url) = location { DatabaseFile.sibling(url, "-wal") } else { nil }
    }

    /// SQLite reports no progress of a checkpoint. The system reports the bytes that the thread writes: each page of the
    /// log once.
    private func emptyLog(_ connection: Connection, _ meter: ProgressMeter) throws -> Bool {
        defer { meter.report(1) }
        let written = WrittenBytes()
        let size = Double(max(1, logURL.flatMap { FileStamp($0)?.size } ?? 0))
        return try meter.watching({ written?.count.map { Double($0) / size } }) { try connection.emptyLog() }
    }

    private func sizeWithoutFreePages(_ connection: Connection) throws -> Int64 {
        try connection.databaseSize() - Int64(connection.freePageCount()) * connection.pageSize()
    }

    /// Checks that there is enough space to rewrite the file.
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

    /// Gathers statistics about tables and indexes, by which SQLite chooses indexes. They are stored in the file.
    package func analyze() throws {
        try pool.withWriter { try $0.execute("ANALYZE") }
    }

    /// Writes the log back into the file and empties it.
    /// - Returns: Whether that was possible. It is not while other connections read.
    @discardableResult
    package func checkpoint() throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { try $0.emptyLog() }
    }
}

extension Connection {
    /// - Returns: Whether the whole log is in the file, and the log is empty. True for a file without a log.
    @discardableResult
    package func emptyLog() throws -> Bool {
        try withStatement("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.step() ? $0.integer(at: 0) == 0 : true }
    }
}
