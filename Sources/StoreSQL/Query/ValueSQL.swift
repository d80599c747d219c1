import Foundation
import ObjectGraph

/// SQL for a value, with facts about it.
package struct ValueSQL {
    package var sql: SQLText
    package var kind: Kind
    var isNullable: Bool
    /// The value itself, if it is a literal.
    package var literal: Value?
    /// The stored key, if `sql` is a key that is NULL when its row is deleted.
    var storedKey: StoredKey?

    init(_ sql: SQLText, _ kind: Kind, nullable: Bool, literal: Value? = nil) {
        self.sql = sql
        self.kind = kind
        self.isNullable = nullable
        self.literal = literal
    }

    /// A key as it is stored, so that its index is used, and whether its row exists.
    package struct StoredKey {
        package let sql: SQLText
        package let exists: SQLText
    }

    package enum Kind: Hashable {
        case integer
        case real
        /// A real that a database may return as an integer if it is whole: dates and decimals.
        case wholeOrReal
        case text
        case blob
        /// A blob that may be in an external file; it can only be tested for nil.
        case external(path: String)
        /// A key of the hierarchy with this root.
        case key(rootIndex: Int)
        case null
        case unknown

        init(_ column: SlotColumn, path: String) {
            if column.isExternal {
                self = .external(path: path)
                return
            }
            self.init(column.type)
        }

        /// The kind of values in columns of the type.
        package init(_ type: AttributeType) {
            switch type {
            case .integer16, .integer32, .integer64, .boolean: self = .integer
            case .double, .float: self = .real
            case .date, .decimal: self = .wholeOrReal
            case .string, .uri: self = .text
            case .uuid, .binary, .transformable: self = .blob
            case .composite: self = .unknown
            }
        }

        init(of bound: Cell) {
            switch bound {
            case .null: self = .null
            case .integer: self = .integer
            case .real: self = .real
            case .text: self = .text
            case .bytes: self = .blob
            }
        }

        package var isReal: Bool { self == .real || self == .wholeOrReal }
        package var isNumber: Bool { isReal || self == .integer }
        var isKey: Bool { if case .key = self { true } else { false } }

        /// Whether values of the two kinds can be compared directly. Otherwise a database may convert one of them first.
        package func comparesPlainly(with other: Kind) -> Bool {
            self == other && self != .unknown || isNumber && other.isNumber || self == .null || other == .null
                || isKey && other.isKey
        }
    }

    package static let null = ValueSQL("NULL", .null, nullable: true, literal: .null)

    var isNullLiteral: Bool { kind == .null }

    /// The value in a form that arithmetic does not treat as an integer.
    func numeric(_ dialect: any Dialect) -> SQLText {
        kind == .wholeOrReal && literal == nil ? dialect.real(sql) : sql
    }

    /// Returns the value; throws if its bytes may be in an external file.
    package func readable() throws -> ValueSQL {
        if case .external(let path) = kind {
            throw UntranslatableExpression("the content of the externally stored attribute '\(path)'")
        }
        return self
    }
}

extension Cell {
    /// How a value is bound, whatever column it is compared with. The caller resolves references.
    package init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = real.isNaN ? .null : .real(real)
        case .text(let text): self = .text(text)
        case .bytes(let data): self = .bytes(data)
        case .uuid(let uuid): self = .bytes(uuid.rawBytes)
        case .decimal:
            guard let cell = try? ColumnCodec.cell(of: value, .decimal) else { return nil }
            self = cell
        case .reference: return nil
        }
    }
}
