import CSQLite

extension Connection {
    /// Writes everything this database holds over what another one holds: in one transaction of the other, and as of one
    /// moment of this one.
    /// - Parameter afterLocking: called when nobody else can write to the other any more, before anything of it is lost;
    ///   throws to stop.
    /// - Throws: `SQLiteError`, what `afterLocking` throws; then the other is as it was.
    func copyContent(to other: Connection, afterLocking: () throws -> Void = {}) throws {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw SQLiteError(connection: other.handle, result: sqlite3_errcode(other.handle))
        }
        var isFinished = false
        defer { if !isFinished { sqlite3_backup_finish(backup) } }
        // Without a page it takes the locks, and no more.
        try step(backup, pages: 0, other)
        try afterLocking()
        try step(backup, pages: -1, other)
        isFinished = true
        let result = sqlite3_backup_finish(backup)
        guard result == SQLITE_OK else { throw SQLiteError(connection: other.handle, result: result) }
    }

    private func step(_ backup: OpaquePointer, pages: Int32, _ other: Connection) throws {
        var attempt: Int32 = 0
        while true {
            let result = sqlite3_backup_step(backup, pages)
            switch result & 0xFF {
            case SQLITE_OK, SQLITE_DONE: return
            case SQLITE_BUSY, SQLITE_LOCKED:
                guard other.waitsAgain(attempt: attempt) else { fallthrough }
                attempt += 1
            default: throw SQLiteError(extendedCode: result, message: String(cString: sqlite3_errstr(result)))
            }
        }
    }
}
