import CSQLite
import Foundation

/// Typed readers of the current row. Texts and blobs are copied once, out of SQLite's own memory.
extension Statement {
    /// What SQLite holds in a cell.
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

    @inline(__always)
    package func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// 0 for NULL.
    @inline(__always)
    package func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// 0 for NULL.
    @inline(__always)
    package func real(at column: Int) -> Double {
        sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
    }

    /// Empty for NULL. Bytes that are not UTF-8 become U+FFFD.
    @inline(__always)
    package func text(at column: Int) -> String { directText(at: column) ?? "" }

    /// As `text`, but `nil` for NULL: one question less than asking for the kind first.
    @inline(__always)
    package func directText(at column: Int) -> String? {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_text(handle, index) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Empty for NULL.
    package func bytes(at column: Int) -> Data {
        let index = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_blob(handle, index) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, index)))
    }

    /// `nil` unless the cell has sixteen bytes.
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
