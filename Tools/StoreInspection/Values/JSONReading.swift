import Foundation

/// Parses JSON without loss: keeps the order of fields, and distinguishes integers from other numbers.
package struct JSONReading {
    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    private static let deepest = 256
    /// The number of decimal digits that a `Double` always preserves.
    private static let digitsOfDouble = 15

    /// - Throws: `JSONReadingError`.
    package static func value(_ data: Data) throws(JSONReadingError) -> InspectedValue {
        try value(bytes: Array(data))
    }

    static func value(bytes: [UInt8]) throws(JSONReadingError) -> InspectedValue {
        var reading = JSONReading(bytes: bytes)
        let value = try reading.value()
        reading.skipSpace()
        guard reading.place == reading.bytes.count else { throw reading.error("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    private func error(_ reason: String) -> JSONReadingError {
        let line = bytes.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
        return JSONReadingError(offset: place, line: line, reason: reason)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private mutating func value() throws(JSONReadingError) -> InspectedValue {
        skipSpace()
        guard let byte = next else { throw error("a value is missing") }
        switch byte {
        case UInt8(ascii: "{"): return try nested { reading throws(JSONReadingError) in try reading.object() }
        case UInt8(ascii: "["): return try nested { reading throws(JSONReadingError) in try reading.array() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .none)
        default: return try number()
        }
    }

    private mutating func nested(
        _ body: (inout JSONReading) throws(JSONReadingError) -> InspectedValue
    ) throws(JSONReadingError) -> InspectedValue {
        guard depth < Self.deepest else { throw error("it is nested too deeply") }
        depth += 1
        place += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONReadingError) -> InspectedValue {
        var fields: [InspectedField] = []
        if take("}") { return .fields([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("a name in quotes is missing") }
            let name = try string()
            guard take(":") else { throw error("a colon is missing") }
            fields.append(InspectedField(name, try value()))
        } while take(",")
        guard take("}") else { throw error("a closing brace is missing") }
        return .fields(fields)
    }

    private mutating func array() throws(JSONReadingError) -> InspectedValue {
        var elements: [InspectedValue] = []
        if take("]") { return .list([]) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw error("a closing bracket is missing") }
        return .list(elements)
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func word(_ text: String, _ value: InspectedValue) throws(JSONReadingError) -> InspectedValue {
        guard bytes[place...].starts(with: text.utf8) else { throw error("an unknown word") }
        place += text.utf8.count
        return value
    }

    private mutating func number() throws(JSONReadingError) -> InspectedValue {
        let start = place
        while let byte = next, "+-0123456789.eE".utf8.contains(byte) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text) else {
            place = start
            throw error("no value begins like this")
        }
        let isExact = text.utf8.count <= Self.digitsOfDouble || String(describing: real) == text || !real.isFinite
        return isExact ? .real(real) : .number(text)
    }

    private mutating func string() throws(JSONReadingError) -> String {
        place += 1
        var found: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: found, as: UTF8.self) else { throw error("a text is not in UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(&found)
            case ..<0x20: throw error("a text has a control character that is not escaped")
            default: found.append(byte)
            }
        }
        throw error("a closing quote is missing")
    }

    private mutating func escape(_ found: inout [UInt8]) throws(JSONReadingError) {
        guard let byte = next else { throw error("an escape is cut off") }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): found.append(0x0A)
        case UInt8(ascii: "r"): found.append(0x0D)
        case UInt8(ascii: "t"): found.append(0x09)
        case UInt8(ascii: "b"): found.append(0x08)
        case UInt8(ascii: "f"): found.append(0x0C)
        case UInt8(ascii: "u"): found.append(contentsOf: String(try scalar()).utf8)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): found.append(byte)
        default: throw error("there is no such escape")
        }
    }

    /// Combines a surrogate pair of two escapes. An unpaired surrogate becomes U+FFFD.
    private mutating func scalar() throws(JSONReadingError) -> Character {
        let first = try unit()
        if UTF16.isLeadSurrogate(first), bytes[place...].starts(with: "\\u".utf8) {
            let start = place
            place += 2
            let second = try unit()
            if UTF16.isTrailSurrogate(second) {
                return Character(String(decoding: [first, second], as: UTF16.self))
            }
            place = start
        }
        return Character(String(decoding: [first], as: UTF16.self))
    }

    private mutating func unit() throws(JSONReadingError) -> UInt16 {
        let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
            throw error("four hexadecimal digits are missing")
        }
        place += 4
        return unit
    }
}

package struct JSONReadingError: Error, Hashable, CustomStringConvertible {
    /// In bytes.
    package let offset: Int
    /// From 1.
    package let line: Int
    package let reason: String

    package var description: String { "The JSON cannot be read: \(reason), at byte \(offset), in line \(line)." }
}
