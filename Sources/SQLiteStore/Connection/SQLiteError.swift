import CSQLite
import ObjectGraph

/// A failed call of SQLite. Never contains bound values, which may be private.
package struct SQLiteError: Error, Hashable {
    /// The primary result code, such as `SQLITE_BUSY` (5).
    package let code: Int32
    /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE` (2067).
    package let extendedCode: Int32
    package let message: String
    /// The statement with its placeholders; `nil` if no statement was involved.
    package let sql: String?

    package init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.code = extendedCode & 0xFF
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// The error of the last failed call on a connection.
    init(connection handle: OpaquePointer?, result: Int32, sql: String? = nil) {
        let message =
            if let handle, let text = sqlite3_errmsg(handle), result != SQLITE_MISUSE { String(cString: text) } else {
                String(cString: sqlite3_errstr(result))
            }
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
        self.init(extendedCode: extended & 0xFF == result & 0xFF ? extended : result, message: message, sql: sql)
    }

    /// Damage that SQLite does not detect while reading: keys of a table that do not ascend. Paging by the last key of a
    /// page would never end.
    static let disorder = SQLiteError(extendedCode: SQLITE_CORRUPT, message: "rows of a table are out of order")

    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    package var isInterrupt: Bool { code == SQLITE_INTERRUPT }
    package var isReadOnly: Bool { code == SQLITE_READONLY }
    package var isUniqueViolation: Bool {
        extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
    }
    package var isNotADatabase: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
    /// Whether the file is not an SQLite database. A damaged database is still one.
    var isOfAnotherFormat: Bool { code == SQLITE_NOTADB }
    package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
}

extension SQLiteError: DatabaseError {
    package var databaseCode: Int { Int(extendedCode) }

    package var description: String {
        let place = sql.map { "; statement: \($0)" } ?? ""
        return "SQLite error \(extendedCode): \(message)\(place)\(advice.map { ". " + $0 } ?? "")"
    }

    private var advice: String? {
        if isBusy { return "Another connection holds the file; try again when it is done." }
        if isReadOnly { return "The file or its folder cannot be written; check permissions." }
        if isCannotOpen { return "Check that the path exists and may be read." }
        if code == SQLITE_NOTADB { return "The file is not a SQLite database." }
        if code == SQLITE_CORRUPT { return "The file is damaged; restore it from a copy." }
        if code == SQLITE_FULL { return "The disk is full; free some space." }
        return nil
    }
}

/// The SQLite library this process runs on is too old.
package struct SQLiteVersionError: Error, Hashable, CustomStringConvertible {
    package let found: String
    package static let required = "3.40.0"
    static let requiredNumber: Int32 = 3_040_000

    package var description: String {
        "SQLite \(found) is too old; install version \(Self.required) or later."
    }

    /// - Throws: `SQLiteVersionError` if the library is older than required.
    static func check() throws {
        guard sqlite3_libversion_number() >= requiredNumber else {
            throw SQLiteVersionError(found: String(cString: sqlite3_libversion()))
        }
    }
}
