import Foundation

/// The comparison of two values in tests and sorts, equal to that of database columns with them.
///
/// 1. Nil is less than everything and equal to itself. A real that is not a number is nil, as in a database.
/// 2. Numbers precede texts, texts precede bytes, bytes precede references.
/// 3. Integers and reals are compared by their exact numeric value, without rounding the integer to a real.
/// 4. Decimals are compared as the doubles that are stored for them.
/// 5. Texts are compared by UTF-8 bytes, bytes and UUIDs by their bytes.
/// 6. References are equal if their identities are; saved objects precede unsaved ones, each by key.
package enum ValueOrder {
    /// Returns -1 if `a` is first, 1 if `b` is, 0 if they are equal.
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

    /// Compares like `compare`, with texts in the given order.
    package static func compare(_ a: Value, _ b: Value, texts order: TextOrder) -> Int {
        if order != .binary, case .text(let left) = a, case .text(let right) = b {
            return TextMatching.order(order, left, right)
        }
        return compare(a, b)
    }

    /// A two-valued test: nil equals nil and nothing else, and is neither less nor greater than anything.
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
    /// Compares an integer exactly with a real that is a number. Rounding the integer first would make 2^53 + 1 equal
    /// to 2^53.
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

    /// Rows of one table sort by key, regardless of their entity in the hierarchy.
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

/// A value in the storage class of a column.
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
    /// Whether it is nil, or a real that is not a number.
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
    /// Creates the decimal with the digits of the real's shortest text: 0.1 is one tenth.
    /// - Returns: `nil` for infinities, and for a real that is not a number.
    package init?(shortestDigitsOf real: Double) {
        guard real.isFinite else { return nil }
        self.init(string: real.description)
    }

    /// The nearest double, which a column stores for a decimal.
    package var storedDouble: Double {
        Double(description) ?? .nan
    }
}

extension UUID {
    /// The sixteen bytes of the UUID.
    var data: Data {
        withUnsafeBytes(of: uuid) { Data($0) }
    }
}
