import CSQLite
import StoreSQL

extension Connection {
    /// Runs a caller's SQL statement, which may only read: it writes nothing and opens no other file.
    /// - Parameters:
    ///   - columns: Called with the column names, before the first row.
    ///   - row: Called with each row. An error thrown here stops the statement.
    /// - Throws: `ReadOnlySQLError`, `SQLiteError`, and the errors of the bodies.
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

    /// The error offset in the statement that could not be compiled.
    private var offsetOfError: Int? {
        let offset = sqlite3_error_offset(handle)
        return offset >= 0 ? Int(offset) : nil
    }

    /// Whether only white space, semicolons and comments follow the first statement: compiling the rest must give no
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
                    // An error in the first statement is reported when that statement is prepared.
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

/// A statement refused because it could do more than read.
package enum ReadOnlySQLError: Error, Hashable, CustomStringConvertible {
    case severalStatements
    case writes
    case otherFile
    /// A `PRAGMA` that is not one of `Connection.readablePragmas`, or one of those with an argument that would set it.
    case setting(String)
    case tooLong(seconds: Double)

    package var description: String {
        switch self {
        case .severalStatements: "There is more than one statement; give one at a time."
        case .writes: "The statement would change the file, and SQL is for reading only here. Nothing was done."
        case .otherFile: "The statement would open another file; give that file's path to the command instead."
        case .tooLong(let seconds):
            "The statement was stopped after \(Int(seconds)) seconds; select fewer rows, or use `modelstore sql`, which waits."
        case .setting(let name):
            "PRAGMA \(name) may change a setting, and is not for reading. Nothing was done. Readable are: "
                + "\(Connection.readablePragmas.sorted().joined(separator: ", "))."
        }
    }
}

/// SQL that SQLite cannot compile. The message quotes only the statement's own text.
package struct SQLTextError: Error, Hashable, CustomStringConvertible {
    package let message: String
    /// The offset in UTF-8 bytes; `nil` if SQLite does not report one.
    package let offset: Int?

    package var description: String { "The statement cannot be understood: \(message)." }
}

extension Connection {
    /// Pragmas that read properties of the file. Others change how SQLite works, some of them for the whole process.
    static let readablePragmas: Set<String> = [
        "application_id", "collation_list", "compile_options", "database_list", "encoding", "foreign_key_check",
        "foreign_key_list", "freelist_count", "function_list", "index_info", "index_list", "index_xinfo",
        "integrity_check",
        "page_count", "page_size", "quick_check", "schema_version", "table_info", "table_list", "table_xinfo",
        "user_version",
    ]

    /// Readable pragmas that write if they have an argument.
    fileprivate static let settablePragmas: Set<String> = [
        "application_id", "encoding", "page_size", "schema_version", "user_version",
    ]
}

/// The reason for which the authorizer refused a statement. Used within one call, on its thread.
private final class Refusal {
    var error: ReadOnlySQLError?
}

/// Authorizer callback: SQLite calls it for every action of a statement while compiling it.
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

extension Connection {
    /// - Parameter bytes: The maximum length of texts and blobs; longer ones cause an error.
    func limitValues(to bytes: Int32) { _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes) }
}
