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
