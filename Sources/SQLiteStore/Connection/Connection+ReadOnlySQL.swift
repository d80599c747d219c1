import CSQLite

extension Connection {
    /// Runs somebody's own statement, which may only read: nothing is written, no other file is opened.
    /// - Parameters:
    ///   - columns: told of the result's columns, before its first row.
    ///   - row: told of each row; throws to stop.
    /// - Throws: `ReadOnlySQLError`, `SQLiteError`, and what the bodies throw.
    package func runReadOnly(
        _ sql: String, columns: ([String]) throws -> Void, row: ([Cell]) throws -> Void
    ) throws {
        let statement = try prepareReadOnly(sql)
        let names = (0..<statement.columnCount).map(statement.columnName)
        try columns(names)
        while try statement.step() { try row(names.indices.map(statement.cell)) }
    }

    private func prepareReadOnly(_ sql: String) throws -> Statement {
        sqlite3_set_authorizer(handle, refuseOtherFiles, nil)
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        guard try isOneStatement(sql) else { throw ReadOnlySQLError.severalStatements }
        let statement: Statement
        do {
            statement = try prepare(sql)
        } catch let error as SQLiteError where error.code == SQLITE_AUTH {
            throw ReadOnlySQLError.otherFile
        }
        guard sqlite3_stmt_readonly(statement.handle) != 0 else { throw ReadOnlySQLError.writes }
        return statement
    }

    /// What follows the first statement must be nothing but white space, semicolons and comments: compiled, it gives no
    /// statement.
    private func isOneStatement(_ sql: String) throws -> Bool {
        var text = sql
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return true }
                var rest: UnsafePointer<CChar>? = start
                var found = 0
                while let here = rest, here < start + characters.count {
                    var handle: OpaquePointer?
                    var tail: UnsafePointer<CChar>?
                    let left = Int32(truncatingIfNeeded: characters.count - (here - start))
                    let result = sqlite3_prepare_v2(self.handle, here, left, &handle, &tail)
                    let isStatement = handle != nil
                    sqlite3_finalize(handle)
                    // The error of the first statement is told when it is prepared to be run.
                    guard result == SQLITE_OK else { return found == 0 }
                    if isStatement { found += 1 }
                    guard let tail, tail > here else { break }
                    rest = tail
                }
                return found <= 1
            }
        }
    }
}

/// A statement that may do more than read.
package enum ReadOnlySQLError: Error, Hashable, CustomStringConvertible {
    case severalStatements
    case writes
    case otherFile

    package var description: String {
        switch self {
        case .severalStatements: "There is more than one statement; give one at a time."
        case .writes: "The statement would change the file, and SQL is for reading only here. Nothing was done."
        case .otherFile: "The statement would open another file; give that file's path to the command instead."
        }
    }
}

/// Called by SQLite for everything a statement does, while it is compiled.
private func refuseOtherFiles(
    _: UnsafeMutableRawPointer?, action: Int32, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
    action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK
}
