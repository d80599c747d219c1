import CSQLite

extension Connection {
    /// Replaces the content of another database by the content of this one: in one transaction there, and from one
    /// consistent state here.
    /// - Parameter afterLocking: Called when no other connection can write to the destination any more, before any of its
    ///   content is lost. An error thrown here stops the copy.
    /// - Throws: `SQLiteError`, or the error of `afterLocking`; the destination is then unchanged.
    func copyContent(to other: Connection, afterLocking: () throws -> Void = {}) throws {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw SQLiteError(connection: other.handle, result: sqlite3_errcode(other.handle))
        }
        var isFinished = false
        defer { if !isFinished { sqlite3_backup_finish(backup) } }
        // Copying zero pages only takes the locks.
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
