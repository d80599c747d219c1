import CSQLite
import Foundation
import StoreSQL

/// The destination of a cell: a statement parameter or the result of a function.
protocol CellSink {
    func takeNull() throws
    func take(_ integer: Int64) throws
    func take(_ real: Double) throws
    func take(_ text: String) throws
    func take(_ bytes: Data) throws
    /// Takes the UUID as sixteen raw bytes.
    func take(_ uuid: UUID) throws
}

extension CellSink {
    func take(_ cell: Cell) throws {
        switch cell {
        case .null: try takeNull()
        case .integer(let integer): try take(integer)
        case .real(let real): try take(real)
        case .text(let text): try take(text)
        case .bytes(let data): try take(data)
        }
    }
}

/// A parameter of a statement that runs before the next row is bound.
struct StatementParameter: CellSink {
    let statement: Statement
    let index: Int
    /// Keeps the row's texts until the statement has run.
    let texts: TextBuffer

    @inline(__always)
    func takeNull() throws { try statement.bindNull(at: index) }
    @inline(__always)
    func take(_ integer: Int64) throws { try statement.bind(integer, at: index) }
    @inline(__always)
    func take(_ real: Double) throws { try statement.bind(real, at: index) }
    @inline(__always)
    func take(_ text: String) throws { try statement.bind(text, at: index, in: texts) }
    func take(_ bytes: Data) throws { try statement.bind(bytes, at: index) }
    func take(_ uuid: UUID) throws { try statement.bind(uuid, at: index) }
}

/// The result of a Swift function or table function. SQLite copies it.
struct ResultCell: CellSink {
    let context: OpaquePointer?

    @inline(__always)
    func takeNull() { sqlite3_result_null(context) }
    @inline(__always)
    func take(_ integer: Int64) { sqlite3_result_int64(context, integer) }
    @inline(__always)
    func take(_ real: Double) { sqlite3_result_double(context, real) }

    @inline(__always)
    func take(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        }
    }

    func take(_ bytes: Data) {
        guard !bytes.isEmpty else { return _ = sqlite3_result_zeroblob64(context, 0) }
        bytes.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), copied) }
    }

    func take(_ uuid: UUID) {
        withUnsafeBytes(of: uuid.uuid) { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), copied) }
    }
}
