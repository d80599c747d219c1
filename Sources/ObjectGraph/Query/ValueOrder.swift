import Foundation

/// How two values compare, in tests and in sorts: exactly as the columns that hold them would.
///
/// 1. Nil is less than everything and equal to itself. A real that is not a number is nil, as it is in a database.
/// 2. Numbers come before texts, texts before bytes, bytes before references.
/// 3. Integers and reals compare by their exact numeric value, without rounding the integer to a real first.
/// 4. Decimals compare as the doubles they are stored as.
/// 5. Texts compare by UTF-8 bytes, bytes and UUIDs by their bytes.
/// 6. References are equal when their identities are; saved objects come before unsaved ones, each by key.
package enum ValueOrder {
    /// -1 when `a` comes first, 1 when `b` does, 0 when neither.
    package static func compare(_ a: Value, _ b: Value) -> Int {
        switch (a, b) {
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.text(let left), .text(let right)): return TextMatching.order(.binary, left, right)
        case (.reference(let left), .reference(let right)): return compare(left, right)
        default: break
        }
        let (left, right) = (StorageClass(a), StorageClass(b))
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.real(let left), .real(let right)): return sign(left, right)
        case (.integer(let left), .real(let right)): return compare(left, right)
        case (.real(let left), .integer(let right)): return -compare(right, left)
        case (.bytes(let left), .bytes(let right)): return compare(left, right)
        default: return sign(left.rank, right.rank)
        }
    }

    /// As `compare`, with texts in an order of the caller's choice.
    package static func compare(_ a: Value, _ b: Value, texts order: TextOrder) -> Int {
        if order != .binary, case .text(let left) = a, case .text(let right) = b {
            return TextMatching.order(order, left, right)
        }
        return compare(a, b)
    }

    /// Two-valued: nil equals nil and nothing else, and is neither less nor greater than anything.
    package static func test(_ comparison: ComparisonOperator, _ a: Value, _ b: Value) -> Bool {
        switch comparison {
        case .equal: return compare(a, b) == 0
        case .notEqual: return compare(a, b) != 0
        case .less, .lessOrEqual, .greater, .greaterOrEqual: break
        }
        if a.isNil || b.isNil { return false }
        let order = compare(a, b)
        switch comparison {
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        case .equal, .notEqual: return false
        }
    }
}

extension ValueOrder {
    /// The exact order of an integer and a real that is a number. Rounding the integer first would make 2^53 + 1 equal
    /// 2^53.
    static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real < -0x1p63 { return 1 }
        if real >= 0x1p63 { return -1 }
        let whole = Int64(real)
        if integer != whole { return integer < whole ? -1 : 1 }
        return sign(Double(whole), real)
    }

    private static func compare(_ a: Data, _ b: Data) -> Int {
        a.withUnsafeBytes { left in
            b.withUnsafeBytes { right in
                TextMatching.byteOrder(left.bindMemory(to: UInt8.self), right.bindMemory(to: UInt8.self))
            }
        }
    }

    /// Rows of one table sort by key whichever entity of the hierarchy they are of.
    private static func compare(_ a: ObjectID, _ b: ObjectID) -> Int {
        if a == b { return 0 }
        if a.isTemporary != b.isTemporary { return a.isTemporary ? 1 : -1 }
        if a.key != b.key { return sign(a.key, b.key) }
        return a < b ? -1 : 1
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int {
        a == b ? 0 : (a < b ? -1 : 1)
    }
}

/// A value as a column holds it.
private enum StorageClass {
    case null
    case integer(Int64)
    case real(Double)
    case text
    case bytes(Data)
    case reference

    init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = real.isNaN ? .null : .real(real)
        case .text: self = .text
        case .bytes(let data): self = .bytes(data)
        case .uuid(let uuid): self = .bytes(uuid.data)
        case .decimal(let decimal):
            let real = decimal.storedDouble
            self = real.isNaN ? .null : .real(real)
        case .reference: self = .reference
        }
    }

    var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .bytes: 3
        case .reference: 4
        }
    }
}

extension Value {
    /// Nil, or a real that is not a number.
    package var isNil: Bool {
        switch self {
        case .null: true
        case .real(let real): real.isNaN
        case .decimal(let decimal): decimal.isNaN
        default: false
        }
    }
}

extension Decimal {
    /// The decimal with the digits of the real's shortest text: 0.1 is one tenth.
    /// - Returns: `nil` for infinity and for what is no number.
    package init?(shortestDigitsOf real: Double) {
        guard real.isFinite else { return nil }
        self.init(string: real.description)
    }

    /// The nearest double, which is what a column keeps of a decimal.
    package var storedDouble: Double {
        Double(description) ?? .nan
    }
}

extension UUID {
    /// The sixteen bytes.
    var data: Data {
        withUnsafeBytes(of: uuid) { Data($0) }
    }
}
