import CSQLite
import Foundation

/// A prepared statement. Parameters count from 1 and columns from 0, as in SQLite. Used by its connection's holder only.
package final class Statement {
    package let sql: String
    let handle: OpaquePointer
    private unowned let connection: Connection
    // Exempt from run-time exclusivity checks, because it is used for every row: no other access can happen during a read
    // or write.
    @exclusivity(unchecked) private var isFresh = true
    /// Whether it is in use, if its connection keeps it for reuse.
    @exclusivity(unchecked) var isLent = false

    init(_ sql: String, on connection: Connection, persistent: Bool) throws {
        var handle: OpaquePointer?
        let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let result = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
        guard result == SQLITE_OK else {
            throw SQLiteError(connection: connection.handle, result: result, sql: sql)
        }
        guard let handle else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty", sql: sql)
        }
        self.sql = sql
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Running

    /// Moves to the next row.
    /// - Returns: `false` if there is none; the statement is then reset.
    @inline(__always)
    package func step() throws -> Bool {
        if isFresh { begin() }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        case let result: throw failure(result)
        }
    }

    /// Runs the statement to its end, ignoring rows. Bindings stay for the next run.
    package func run() throws {
        while try step() {}
    }

    private func begin() {
        isFresh = false
        connection.onStatement?(sql)
    }

    private func failure(_ result: Int32) -> SQLiteError {
        let error = SQLiteError(connection: connection.handle, result: result, sql: sql)
        reset()
        return error
    }

    /// Resets the statement to before its first row. Bindings stay.
    package func reset() {
        sqlite3_reset(handle)
        isFresh = true
    }

    /// Resets the statement and clears large bindings.
    func recycle() {
        reset()
        sqlite3_clear_bindings(handle)
    }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    package func columnName(_ column: Int) -> String {
        sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
    }

    // MARK: Binding

    func check(_ result: Int32) throws {
        guard result == SQLITE_OK else { throw failure(result) }
    }

    @inline(__always)
    package func bindNull(at index: Int) throws {
        let result = sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index))
        if result != SQLITE_OK { throw failure(result) }
    }

    @inline(__always)
    package func bind(_ value: Int64, at index: Int) throws {
        let result = sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value)
        if result != SQLITE_OK { throw failure(result) }
    }

    @inline(__always)
    package func bind(_ value: Double, at index: Int) throws {
        let result = sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index), value)
        if result != SQLITE_OK { throw failure(result) }
    }

    package func bind(_ value: String, at index: Int) throws {
        var text = value
        try check(
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        handle, Int32(truncatingIfNeeded: index), characters.baseAddress ?? emptyText,
                        UInt64(characters.count), copied, UInt8(SQLITE_UTF8))
                }
            })
    }

    package func bind(_ value: Data, at index: Int) throws {
        let index = Int32(truncatingIfNeeded: index)
        guard !value.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(
            value.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) })
    }

    /// Binds sixteen raw bytes.
    package func bind(_ value: UUID, at index: Int) throws {
        var bytes = value.uuid
        try check(
            withUnsafeBytes(of: &bytes) {
                sqlite3_bind_blob(handle, Int32(truncatingIfNeeded: index), $0.baseAddress, 16, copied)
            })
    }

    /// Binds the parameter of the `ValueList` table function.
    package func bind(_ list: ValueList, at index: Int) throws {
        try check(
            sqlite3_bind_pointer(
                handle, Int32(truncatingIfNeeded: index), Unmanaged.passRetained(list).toOpaque(),
                ValueList.pointerType, releaseValueList))
    }
}

/// SQLite's `SQLITE_TRANSIENT`: the bytes are copied before the call returns.
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A permanent address for texts without bytes, because a null pointer would bind NULL.
// Safety of `nonisolated(unsafe)`: the pointer is set once and its byte is never written.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()

private func releaseValueList(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<ValueList>.fromOpaque(pointer).release() }
}
