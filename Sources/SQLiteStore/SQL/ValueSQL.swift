import Foundation
import ObjectGraph

/// A piece of SQL that gives a value, with what is known of it.
struct ValueSQL {
    var sql: SQLText
    var kind: Kind
    var isNullable: Bool
    /// The value itself when it is a literal.
    var literal: Value?
    /// Of a key that may lead to a row that is gone, and is NULL in `sql` then.
    var storedKey: StoredKey?

    init(_ sql: SQLText, _ kind: Kind, nullable: Bool, literal: Value? = nil) {
        self.sql = sql
        self.kind = kind
        self.isNullable = nullable
        self.literal = literal
    }

    /// A key as it is stored, whose index serves, and whether its row is there.
    struct StoredKey {
        let sql: SQLText
        let exists: SQLText
    }

    enum Kind: Hashable {
        case integer
        case real
        /// A real that SQLite hands out as an integer when it is whole: dates and decimals.
        case wholeOrReal
        case text
        case blob
        /// A blob that may stand in another file; only its absence can be asked for.
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

        /// Of what columns of the type hold.
        init(_ type: AttributeType) {
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

        var isReal: Bool { self == .real || self == .wholeOrReal }
        var isNumber: Bool { isReal || self == .integer }
        var isKey: Bool { if case .key = self { true } else { false } }

        /// Whether values of the two kinds may be compared as they stand. Otherwise SQLite would first turn the one into
        /// what the other's column holds: 3 into '3' beside a column of texts.
        func comparesPlainly(with other: Kind) -> Bool {
            self == other && self != .unknown || isNumber && other.isNumber || self == .null || other == .null
                || isKey && other.isKey
        }
    }

    static let null = ValueSQL("NULL", .null, nullable: true, literal: .null)

    var isNullLiteral: Bool { kind == .null }

    /// The value where arithmetic must not take it for an integer.
    var numeric: SQLText { kind == .wholeOrReal && literal == nil ? "CAST(\(sql) AS REAL)" : sql }

    /// The value where its column's type must not change what it is compared with.
    var withoutAffinity: SQLText { "+\(sql)" }

    /// The value, refused where its bytes may be elsewhere.
    func readable() throws -> ValueSQL {
        if case .external(let path) = kind {
            throw UntranslatableExpression("the content of the externally stored attribute '\(path)'")
        }
        return self
    }
}

extension Cell {
    /// How a value is bound, whatever column it is compared with. References are resolved by the caller.
    init?(_ value: Value) {
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
