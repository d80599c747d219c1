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
        let refusal = Refusal()
        sqlite3_set_authorizer(handle, refuseMoreThanReading, Unmanaged.passUnretained(refusal).toOpaque())
        // It must outlive the registration: SQLite holds an unretained pointer to it.
        defer { withExtendedLifetime(refusal) { _ = sqlite3_set_authorizer(handle, nil, nil) } }
        guard try isOneStatement(sql) else { throw ReadOnlySQLError.severalStatements }
        let statement: Statement
        do {
            statement = try prepare(sql)
        } catch let error as SQLiteError where error.code == SQLITE_AUTH {
            throw refusal.error ?? ReadOnlySQLError.otherFile
        } catch let error as SQLiteError where error.code == SQLITE_ERROR {
            throw SQLTextError(message: error.message, offset: offsetOfError)
        }
        guard sqlite3_stmt_readonly(statement.handle) != 0 else { throw ReadOnlySQLError.writes }
        return statement
    }

    /// Of the statement that could not be compiled.
    private var offsetOfError: Int? {
        let offset = sqlite3_error_offset(handle)
        return offset >= 0 ? Int(offset) : nil
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
    /// A `PRAGMA` that is not one of `Connection.readablePragmas`, or one of those with an argument that sets it.
    case setting(String)
    case tooLong(seconds: Double)

    package var description: String {
        switch self {
        case .severalStatements: "There is more than one statement; give one at a time."
        case .writes: "The statement would change the file, and SQL is for reading only here. Nothing was done."
        case .otherFile: "The statement would open another file; give that file's path to the command instead."
        case .tooLong(let seconds):
            "The statement was stopped after \(Int(seconds)) seconds; ask for less, or use `modelstore sql`, which waits."
        case .setting(let name):
            "PRAGMA \(name) may change a setting, and is not for reading. Nothing was done. Readable are: "
                + "\(Connection.readablePragmas.sorted().joined(separator: ", "))."
        }
    }
}

/// SQL that SQLite does not understand. The message names what it met, which is of the statement's own text.
package struct SQLTextError: Error, Hashable, CustomStringConvertible {
    package let message: String
    /// Where, in UTF-8 bytes; `nil` where SQLite does not say.
    package let offset: Int?

    package var description: String { "The statement cannot be understood: \(message)." }
}

extension Connection {
    /// Those that read properties of the file. Others change how SQLite works, some of them for the whole process.
    static let readablePragmas: Set<String> = [
        "application_id", "collation_list", "compile_options", "database_list", "encoding", "foreign_key_check",
        "foreign_key_list", "freelist_count", "function_list", "index_info", "index_list", "index_xinfo",
        "integrity_check",
        "page_count", "page_size", "quick_check", "schema_version", "table_info", "table_list", "table_xinfo",
        "user_version",
    ]

    /// Those of them that an argument turns into a write.
    fileprivate static let settablePragmas: Set<String> = [
        "application_id", "encoding", "page_size", "schema_version", "user_version",
    ]
}

/// Why the authorizer refused a statement. Used within one call, on its thread.
private final class Refusal {
    var error: ReadOnlySQLError?
}

/// Called by SQLite for everything a statement does, while it is compiled.
private func refuseMoreThanReading(
    _ context: UnsafeMutableRawPointer?, action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
    guard let context else { return SQLITE_DENY }
    let refusal = Unmanaged<Refusal>.fromOpaque(context).takeUnretainedValue()
    switch action {
    case SQLITE_ATTACH, SQLITE_DETACH: refusal.error = .otherFile
    case SQLITE_PRAGMA:
        let name = first.map { String(cString: $0).lowercased() } ?? ""
        let isSet = second != nil && Connection.settablePragmas.contains(name)
        if Connection.readablePragmas.contains(name), !isSet { return SQLITE_OK }
        refusal.error = .setting(name)
    default: return SQLITE_OK
    }
    return SQLITE_DENY
}
