import ObjectGraph

extension SQLiteStore {
    /// Writes the file anew without its free pages, and empties the write-ahead log into it. Needs room for a second copy
    /// on the disk meanwhile.
    /// - Returns: whether the log could be emptied; not while others read.
    /// - Throws: `StoreAccessError.readOnly`, `SQLiteError`.
    @discardableResult
    package func compact() throws -> Bool {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.emptyLog()
            try connection.vacuum()
            return try connection.emptyLog()
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
    /// The new file is put together in a temporary one, not in memory, where the connection's other temporary tables are.
    fileprivate func vacuum() throws {
        let usual = try withStatement("PRAGMA temp_store") { try $0.step() ? $0.integer(at: 0) : 0 }
        try execute("PRAGMA temp_store = FILE")
        defer { try? execute("PRAGMA temp_store = \(usual)") }
        try execute("VACUUM")
    }

    /// - Returns: whether all of the log is in the file now, and the log is empty. True for a file without log.
    @discardableResult
    package func emptyLog() throws -> Bool {
        try withStatement("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.step() ? $0.integer(at: 0) == 0 : true }
    }
}
