import CSQLite

/// Facts about the database file.
extension Connection {
    func usesWriteAheadLog() throws -> Bool {
        try withStatement("PRAGMA journal_mode") { try $0.step() && $0.optionalText(at: 0) == "wal" }
    }

    /// The file change counter in the database header: without a write-ahead log, every transaction that writes to the
    /// file increments it. Read from the file itself, without a lock, bypassing the page cache.
    func changeCounter() throws -> [UInt8] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var counter = [UInt8](repeating: 0, count: 4)
        if result == SQLITE_OK, let file, let read = file.pointee.pMethods?.pointee.xRead {
            result = read(file, &counter, Int32(counter.count), Self.changeCounterOffset)
        }
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
        return counter
    }

    /// Source: "The Database Header" in SQLite's file format.
    private static let changeCounterOffset: Int64 = 24

    /// The page size in bytes.
    func pageSize() throws -> Int64 {
        try withStatement("PRAGMA page_size") { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    func pageCount() throws -> Int {
        try withStatement("PRAGMA page_count") { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    }

    /// The number of unused pages.
    func freePageCount() throws -> Int {
        try withStatement("PRAGMA freelist_count") { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    }
}

extension Connection {
    var hasWriteAheadLog: Bool {
        get throws {
            try withStatement("PRAGMA journal_mode") { try $0.step() && $0.text(at: 0) == "wal" }
        }
    }
}

extension Connection {
    /// Returns the size of the whole database in bytes.
    func databaseSize() throws -> Int64 {
        let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return try withStatement(sql) { try $0.step() ? $0.integer(at: 0) : 0 }
    }
}
