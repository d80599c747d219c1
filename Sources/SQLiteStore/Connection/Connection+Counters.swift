import CSQLite
import ObjectGraph

extension Connection {
    /// The number of pages this connection has written to the log or the file since it was opened, including pages of
    /// rolled back transactions. Only differences are meaningful.
    package var writtenPageCount: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }

    /// Returns a marker of the current state. Two equal markers prove that no row was changed in between, through this
    /// connection or another. Different markers may be a false alarm.
    package func commitMarker() throws -> CommitMarker {
        CommitMarker(ownWrites: Int(sqlite3_total_changes64(handle)), othersVersion: try dataVersion())
    }

    /// Returns a commit marker. Two equal ones prove that nothing was committed in between through this connection, nor
    /// through others as far as this one has read since. Rolled back transactions do not count.
    func commitMark() throws -> UInt32 {
        var mark: UInt32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &mark)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
        return mark
    }
}
