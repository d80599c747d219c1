import Foundation
import ObjectGraph
import SQLiteStore
import StoreSQL

/// Converts imported values to an attribute's type. JSON has typed values, CSV has only texts.
enum ValueImport {
    /// - Returns: `nil` if the value does not fit the type.
    static func value(_ found: InspectedValue, _ leaf: Attribute) -> Value? {
        if found.isNone { return .null }
        switch leaf.type {
        case .integer16: return integer(found).flatMap { Int16(exactly: $0) != nil ? .integer($0) : nil }
        case .integer32: return integer(found).flatMap { Int32(exactly: $0) != nil ? .integer($0) : nil }
        case .integer64: return integer(found).map(Value.integer)
        case .boolean: return boolean(found).map { .integer($0 ? 1 : 0) }
        case .double: return real(found).map(Value.real)
        case .float: return real(found).flatMap { $0.isInfinite || Float($0).isFinite ? .real($0) : nil }
        case .date: return date(found).map(Value.real)
        case .decimal: return decimal(found).map(Value.decimal).flatMap(kept)
        case .string, .uri: return found.textValue.map(Value.text)
        case .uuid: return found.textValue.flatMap(UUID.init(uuidString:)).map(Value.uuid)
        case .binary, .transformable: return found.textValue.flatMap { Data(base64Encoded: $0) }.map(Value.bytes)
        case .composite: return nil
        }
    }

    /// Describes the expected form of a value.
    static func expected(_ leaf: Attribute) -> String {
        switch leaf.type {
        case .integer16: "a whole number from \(Int16.min) to \(Int16.max)"
        case .integer32: "a whole number from \(Int32.min) to \(Int32.max)"
        case .integer64: "a whole number from \(Int64.min) to \(Int64.max)"
        case .boolean: "true or false"
        case .double, .float: "a number such as -12.5"
        case .decimal: "a number such as -12.50 that a file keeps whole, as it does any of 15 digits"
        case .date: "a date such as 2024-03-01T12:00:00Z, or 2024-03-01"
        case .uuid: "a UUID such as \(exampleUUID)"
        case .binary, .transformable: "a text of base64"
        case .string, .uri, .composite: "a text"
        }
    }

    private static let exampleUUID = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private static func integer(_ found: InspectedValue) -> Int64? {
        switch found {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        case .number(let digits): Int64(digits)
        case .text(let text): Int64(text)
        default: nil
        }
    }

    private static func boolean(_ found: InspectedValue) -> Bool? {
        switch found {
        case .boolean(let flag): return flag
        case .integer(let number): return number == 0 ? false : number == 1 ? true : nil
        case .text(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: return nil
            }
        default: return nil
        }
    }

    private static func real(_ found: InspectedValue) -> Double? {
        switch found {
        case .integer(let number): Double(number)
        case .real(let number) where number.isFinite: number
        case .number(let digits): real(digits)
        case .text(let text): real(text)
        default: nil
        }
    }

    /// Refuses non-numbers and numbers out of range, but accepts the form in which exports write infinity.
    private static func real(_ text: String) -> Double? {
        if let infinity = infinities[text] { return infinity }
        guard WrittenNumber(text) != nil, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    private static let infinities = ["inf": Double.infinity, "-inf": -Double.infinity]

    /// Accepts a number of seconds only where no text of a date is exact, as exports write it there.
    private static func date(_ found: InspectedValue) -> Double? {
        if case .text(let text) = found, let seconds = DateText.seconds(text) { return seconds }
        return real(found).flatMap { DateText.lossless($0) == nil ? $0 : nil }
    }

    private static func decimal(_ found: InspectedValue) -> Decimal? {
        switch found {
        case .integer(let number): Decimal(number)
        case .real(let number) where number.isFinite: decimal(String(describing: number))
        case .number(let digits): decimal(digits)
        case .text(let text): decimal(text)
        default: nil
        }
    }

    /// `Decimal(string:)` parses only a prefix of some texts, and drops digits beyond its precision.
    private static func decimal(_ text: String) -> Decimal? {
        guard let written = WrittenNumber(text), let number = Decimal(string: text, locale: posix), !number.isNaN,
            WrittenNumber(number.description) == written
        else { return nil }
        return number
    }

    /// - Returns: `nil` for a decimal that a file would store with fewer digits.
    private static func kept(_ value: Value) -> Value? {
        guard let cell = try? ColumnCodec.cell(of: value, .decimal) else { return nil }
        return (try? ColumnCodec.value(of: cell, .decimal)) == value ? value : nil
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}

/// The value of a number's text such as `-12.50e3`, independent of notation: negative, digits `125`, exponent 2.
private struct WrittenNumber: Equatable {
    /// Without leading and trailing zeros; empty for zero.
    private let digits: ArraySlice<UInt8>
    private let exponent: Int
    private let isNegative: Bool

    /// - Returns: `nil` if the text is no number, or the exponent is out of range.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func take(_ marks: String) -> Bool {
            guard let next = rest.first, marks.utf8.contains(next) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func digits() -> ArraySlice<UInt8> {
            let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(found.count)
            return found
        }
        let hasMinus = take("-")
        if !hasMinus { _ = take("+") }
        var found = digits()
        let wholeCount = found.count
        if take(".") { found += digits() }
        guard !found.isEmpty else { return nil }
        var power = 0
        if take("eE") {
            let isDown = take("-")
            if !isDown { _ = take("+") }
            guard let size = Int(String(decoding: digits(), as: UTF8.self)), size < 1 << 32 else { return nil }
            power = isDown ? -size : size
        }
        guard rest.isEmpty else { return nil }
        let fractionCount = found.count - wholeCount
        let zeros = found.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        self.digits = found.dropLast(zeros).drop { $0 == UInt8(ascii: "0") }
        isNegative = hasMinus && !self.digits.isEmpty
        exponent = self.digits.isEmpty ? 0 : power - fractionCount + zeros
    }
}
