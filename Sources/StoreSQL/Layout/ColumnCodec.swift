import Foundation
import ObjectGraph

/// Converts cells to values and back, by the attribute's type. External values are handled elsewhere: their cells begin
/// with a tag that `ExternalData` reads and writes.
package enum ColumnCodec {
    /// Decodes a cell. Accepts every storage class that SQLite's column affinities can produce: a date of whole seconds
    /// is read as an integer, and so may be a decimal.
    /// - Throws: `CellError` if the cell cannot be of the type.
    package static func value(of cell: Cell, _ type: AttributeType) throws(CellError) -> Value {
        if case .null = cell { return .null }
        let value: Value? =
            switch type {
            case .integer16, .integer32, .integer64: integer(cell)
            case .boolean: boolean(cell)
            case .double, .float, .date: real(cell)
            case .decimal: decimal(cell)
            case .string, .uri: text(cell)
            case .uuid: uuid(cell)
            case .binary, .transformable: bytes(cell)
            case .composite: nil
            }
        guard let value else { throw CellError(type: type, found: cell.storageClass) }
        return value
    }

    private static func integer(_ cell: Cell) -> Value? {
        switch cell {
        case .integer(let number): .integer(number)
        case .real(let number): Int64(exactly: number).map(Value.integer)
        default: nil
        }
    }

    private static func boolean(_ cell: Cell) -> Value? {
        guard case .integer(let number) = cell else { return nil }
        return .integer(number == 0 ? 0 : 1)
    }

    private static func real(_ cell: Cell) -> Value? {
        switch cell {
        case .integer(let number): .real(Double(number))
        case .real(let number): .real(number)
        default: nil
        }
    }

    /// Converts a real through its shortest text, so that 0.1 is one tenth and not its binary neighbour.
    private static func decimal(_ cell: Cell) -> Value? {
        switch cell {
        case .integer(let number): .decimal(Decimal(number))
        case .real(let number) where number.isFinite: Decimal(shortestDigitsOf: number).map(Value.decimal)
        case .text(let text) where isNumber(text): Decimal(string: text, locale: posix).map(Value.decimal)
        default: nil
        }
    }

    /// Validates the text first, because `Decimal(string:)` accepts any text that begins with a number.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) && Double(text) != nil
    }

    private static func text(_ cell: Cell) -> Value? {
        guard case .text(let text) = cell else { return nil }
        return .text(text)
    }

    private static func uuid(_ cell: Cell) -> Value? {
        switch cell {
        case .bytes(let data): UUID(rawBytes: data).map(Value.uuid)
        case .text(let text): UUID(uuidString: text).map(Value.uuid)
        default: nil
        }
    }

    private static func bytes(_ cell: Cell) -> Value? {
        switch cell {
        case .bytes(let data): .bytes(data)
        case .text(let text): .bytes(Data(text.utf8))
        default: nil
        }
    }

    // MARK: Writing

    /// - Throws: `CellError` if the value cannot be of the type. Temporary references must be resolved before.
    package static func cell(of value: Value, _ type: AttributeType) throws(CellError) -> Cell {
        switch (value, type) {
        case (.null, _): return .null
        case (.integer(let number), .integer16), (.integer(let number), .integer32),
            (.integer(let number), .integer64):
            return .integer(number)
        case (.integer(let number), .boolean): return .integer(number == 0 ? 0 : 1)
        case (.real(let number), .double), (.real(let number), .float), (.real(let number), .date):
            return number.isNaN ? .null : .real(number)
        case (.integer(let number), .double), (.integer(let number), .float), (.integer(let number), .date):
            return .real(Double(number))
        case (.decimal(let number), .decimal): return cell(of: number)
        case (.integer(let number), .decimal): return .integer(number)
        case (.text(let text), .string), (.text(let text), .uri): return .text(text)
        case (.uuid(let uuid), .uuid): return .bytes(uuid.rawBytes)
        case (.bytes(let data), .binary), (.bytes(let data), .transformable): return .bytes(data)
        case (.reference(let id), .integer64) where !id.isTemporary: return .integer(id.key)
        default: throw CellError(type: type, found: value.storageClass)
        }
    }

    /// Whole numbers are exact if they fit into 64 bits; all other numbers have the precision of a double, as in Apple's
    /// files.
    private static func cell(of number: Decimal) -> Cell {
        let text = text(of: number)
        if let integer = Int64(text) { return .integer(integer) }
        return Double(text).flatMap { $0.isFinite ? .real($0) : nil } ?? .null
    }

    /// All digits, in a format that can be read back as a decimal.
    package static func text(of number: Decimal) -> String {
        NSDecimalNumber(decimal: number).description(withLocale: posix)
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}

/// A cell or value whose storage class does not match the attribute's type.
package struct CellError: Error, Hashable, CustomStringConvertible {
    package let type: AttributeType
    /// SQLite's name of the storage class; never the value.
    package let found: String
    /// The place of the cell, as far as known: `Item/p12, column ZPRICE`.
    package var place: String?

    package init(type: AttributeType, found: String) {
        self.type = type
        self.found = found
    }

    package var description: String {
        (place.map { "\($0): " } ?? "")
            + "A value of type \(type) cannot be stored as \(found); the row is damaged or written by another model."
    }
}

extension Value {
    fileprivate var storageClass: String {
        switch self {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .bytes: "BLOB"
        case .uuid: "UUID"
        case .decimal: "DECIMAL"
        case .reference(let id): id.isTemporary ? "a temporary reference" : "a reference"
        }
    }
}
