import CSQLite
import ObjectGraph

extension Connection {
    /// Pages this connection has written to the log or the file since it was opened, those of taken back transactions
    /// included. Differences count.
    package var writtenPageCount: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }

    /// Two equal ones: nobody changed a row in between, neither through this connection nor through another. Unequal ones
    /// may be a false alarm.
    package func moment() throws -> StoreMoment {
        StoreMoment(ownWrites: Int(sqlite3_total_changes64(handle)), othersVersion: try dataVersion())
    }

    /// Two equal ones: nothing was committed in between through this connection, nor through others as far as this one has
    /// read since. Transactions that were taken back do not count.
    func commitMark() throws -> UInt32 {
        var mark: UInt32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &mark)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
        return mark
    }
}

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

    /// In bytes.
    func pageSize() throws -> Int64 {
        try withStatement("PRAGMA page_size") { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    func pageCount() throws -> Int {
        try withStatement("PRAGMA page_count") { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    }

    /// Pages that hold nothing.
    func freePageCount() throws -> Int {
        try withStatement("PRAGMA freelist_count") { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    }
}
