import CSQLite
import Foundation

/// Typed readers for cells of the current row. Texts and blobs are copied once, out of SQLite's memory.
extension Statement {
    /// The storage class of a cell.
    package enum CellKind: Sendable {
        case null, integer, real, text, blob
    }

    @inline(__always)
    package func kind(at column: Int) -> CellKind {
        switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// Returns a cell of the current row, for callers that read several facts about it.
    @inline(__always)
    package func view(at column: Int) -> CellView {
        CellView(value: sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)))
    }

    @inline(__always)
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// Returns 0 for NULL.
    @inline(__always)
    package func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// Returns 0 for NULL.
    @inline(__always)
    package func real(at column: Int) -> Double {
        sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
    }

    /// Returns an empty text for NULL. Bytes that are not UTF-8 become U+FFFD.
    @inline(__always)
    package func text(at column: Int) -> String { view(at: column).text ?? "" }

    /// Returns empty data for NULL.
    package func bytes(at column: Int) -> Data {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_blob(handle, index) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, index)))
    }

    /// Lends the cell's bytes without copying them; none for NULL.
    func withBytes<Result>(at column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let index = Int32(truncatingIfNeeded: column)
        let bytes = sqlite3_column_blob(handle, index)
        return try body(
            UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(handle, index))))
    }

    /// Returns `nil` unless the cell has sixteen bytes.
    @inline(__always)
    package func uuid(at column: Int) -> UUID? {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_blob(handle, index), sqlite3_column_bytes(handle, index) == 16 else {
            return nil
        }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    package func optionalInteger(at column: Int) -> Int64? { isNull(at: column) ? nil : integer(at: column) }
    package func optionalReal(at column: Int) -> Double? { isNull(at: column) ? nil : real(at: column) }
    package func optionalText(at column: Int) -> String? { isNull(at: column) ? nil : text(at: column) }
    package func optionalBytes(at column: Int) -> Data? { isNull(at: column) ? nil : bytes(at: column) }
}

/// A cell of a statement's current row, valid until the statement moves on. The statement's own readers look up the cell
/// and take a lock for every call.
///
/// SQLite permits direct access to such a value if the connection is not shared by threads, which holds for every
/// `Connection`.
package struct CellView {
    fileprivate let value: OpaquePointer?

    @inline(__always)
    package var kind: Statement.CellKind {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// 0 for NULL.
    @inline(__always)
    package var integer: Int64 { sqlite3_value_int64(value) }

    /// 0 for NULL.
    @inline(__always)
    package var real: Double { sqlite3_value_double(value) }

    /// `nil` for NULL. Bytes that are not UTF-8 become U+FFFD.
    @inline(__always)
    package var text: String? {
        guard let bytes = sqlite3_value_text(value) else { return nil }
        let utf8 = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        // This way short texts, which are the most frequent, are copied at once; `String(decoding:as:)` copies byte by byte.
        return String(unsafeUninitializedCapacity: utf8.count) { room in
            UnsafeMutableRawBufferPointer(room).copyMemory(from: utf8)
            return utf8.count
        }
    }
}
