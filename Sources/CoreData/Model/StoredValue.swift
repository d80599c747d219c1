import Foundation
import ObjectGraph
import PredicateFormat

/// Converts attribute values between the program's types and the engine's.
enum StoredValue {
    /// - Returns: `nil` for a value that is not of the type.
    static func value(_ value: Any, _ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .integer16: integer(value).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
        case .integer32: integer(value).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
        case .integer64: integer(value).map(Value.integer)
        case .boolean: boolean(value).map { .integer($0 ? 1 : 0) }
        case .double, .float: real(value).map(Value.real)
        case .decimal: decimal(value).map(Value.decimal)
        case .string: (value as? String).map(Value.text)
        case .date: (value as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
        case .binary: (value as? Data).map(Value.bytes)
        case .uuid: (value as? UUID).map(Value.uuid)
        case .uri: (value as? URL).map { .text($0.absoluteString) }
        case .transformable, .composite: nil
        }
    }

    /// The value in the attribute's type; `nil` for null, and for values that are not of the type.
    static func any(_ value: Value, _ type: ObjectGraph.AttributeType) -> Any? {
        switch (value, type) {
        case (.integer(let number), .integer16): Int16(exactly: number)
        case (.integer(let number), .integer32): Int32(exactly: number)
        case (.integer(let number), .integer64): number
        case (.integer(let number), .boolean): number != 0
        case (.real(let number), .double): number
        case (.real(let number), .float): Float(number)
        case (.decimal(let number), .decimal): number
        case (.text(let text), .string): text
        case (.real(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds)
        case (.bytes(let data), .binary): data
        case (.uuid(let uuid), .uuid): uuid
        case (.text(let text), .uri): URL(string: text)
        default: nil
        }
    }

    private static func integer(_ value: Any) -> Int64? {
        if let number = value as? any BinaryInteger { return Int64(exactly: number) }
        return switch FormatConstant(value) {
        case .integer(let number): number
        case .boolean(let flag): flag ? 1 : 0
        case .real(let number): Int64(exactly: number)
        case .decimal(let number): Int64(number.description)
        default: nil
        }
    }

    private static func boolean(_ value: Any) -> Bool? {
        if let flag = value as? Bool { return flag }
        return integer(value).map { $0 != 0 }
    }

    private static func real(_ value: Any) -> Double? {
        if let number = value as? any BinaryFloatingPoint { return Double(number) }
        if let number = value as? any BinaryInteger { return Double(number) }
        if let number = value as? NSDecimalNumber { return number.decimalValue.storedDouble }
        return (value as? NSNumber)?.doubleValue
    }

    private static func decimal(_ value: Any) -> Decimal? {
        if let number = value as? Decimal { return number }
        if let number = value as? NSNumber { return number.decimalValue }
        if let number = value as? any BinaryInteger { return Int64(exactly: number).map { Decimal($0) } }
        return (value as? any BinaryFloatingPoint).flatMap { Decimal(shortestDigitsOf: Double($0)) }
    }
}
