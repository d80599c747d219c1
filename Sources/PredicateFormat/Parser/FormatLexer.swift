import Foundation
import ObjectGraph

/// Splits the text into tokens, one at a time, without keeping any.
struct FormatLexer {
    private let bytes: [UInt8]
    /// The offset of the next token, or of the space before it.
    private(set) var offset = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the number of characters before a byte.
    func position(of offset: Int) -> Int {
        String(decoding: bytes.prefix(offset), as: UTF8.self).count
    }

    /// Returns the next token and its byte offset.
    mutating func next() throws(FormatError) -> (token: FormatToken, start: Int) {
        while let byte = peek(), Self.isSpace(byte) { offset += 1 }
        let start = offset
        guard let byte = peek() else { return (.end, start) }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return (.text(try text(quote: byte)), start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return (.number(try number()), start)
        case UInt8(ascii: "."):
            if let digit = peek(1), Self.isDigit(digit) { return (.number(try number()), start) }
            offset += 1
            return (.symbol(.dot), start)
        case UInt8(ascii: "%"): return (try placeholder(), start)
        case UInt8(ascii: "$"):
            offset += 1
            return (.variable(try name(from: start)), start)
        case UInt8(ascii: "@"):
            offset += 1
            return (.collectionOperator(try name(from: start)), start)
        case UInt8(ascii: "#"):
            offset += 1
            guard let first = peek(), Self.isNameStart(first) else { throw noName(at: start) }
            return (.word(try name(from: start), isEscaped: true), start)
        default:
            if Self.isNameStart(byte) { return (.word(word(), isEscaped: false), start) }
            return (.symbol(try symbol()), start)
        }
    }

    func error(_ reason: FormatError.Reason, at offset: Int) -> FormatError {
        FormatError(reason, at: position(of: offset))
    }

    // MARK: Bytes

    private func peek(_ distance: Int = 0) -> UInt8? {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Letters of other alphabets are bytes above ASCII.
    private static func isNameStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

// MARK: - Names, signs, placeholders

extension FormatLexer {
    /// Reads a name after the sign at `start`.
    private mutating func name(from start: Int) throws(FormatError) -> String {
        let first = offset
        while let byte = peek(), Self.isNamePart(byte) { offset += 1 }
        if first == offset { throw noName(at: start) }
        return string(first..<offset)
    }

    private func noName(at start: Int) -> FormatError {
        error(.unexpected(found: "a sign", expected: "a sign with a name after it"), at: start)
    }

    /// Reads a name, with the colons of a function name, or an operator that contains hyphens.
    private mutating func word() -> String {
        let start = offset
        if let length = hyphenatedLength {
            offset += length
            return string(start..<offset)
        }
        while let byte = peek() {
            if Self.isNamePart(byte) || (byte == UInt8(ascii: ":") && peek(1) != UInt8(ascii: "=")) {
                offset += 1
            } else {
                break
            }
        }
        return string(start..<offset)
    }

    /// The length in bytes of the hyphenated operator at this position, if there is one.
    private var hyphenatedLength: Int? {
        // The first letter excludes most words.
        guard let first = peek(), first | 0x20 == UInt8(ascii: "u") else { return nil }
        return Self.hyphenated.lazy.map(\.utf8.count).enumerated().first { index, length in
            let end = offset + length
            guard end <= bytes.count, end == bytes.count || !Self.isNamePart(bytes[end]) else { return false }
            return string(offset..<end).lowercased() == Self.hyphenated[index]
        }?.element
    }

    private static let hyphenated = [FormatKeyword.utiConformsTo.rawValue, FormatKeyword.utiEquals.rawValue]

    private mutating func symbol() throws(FormatError) -> FormatSymbol {
        if let byte = peek(), let following = peek(1), byte < 0x80, following < 0x80,
            let long = Self.longSymbols[String(decoding: [byte, following], as: UTF8.self)]
        {
            offset += 2
            return long
        }
        guard let byte = peek(), byte < 0x80, let short = Self.shortSymbols[String(decoding: [byte], as: UTF8.self)]
        else { throw error(.unknownCharacter, at: offset) }
        offset += 1
        return short
    }

    private static let longSymbols: [String: FormatSymbol] = {
        let spellings = FormatSymbol.allCases.filter { $0.rawValue.utf8.count == 2 }.map { ($0.rawValue, $0) }
        let others: [(String, FormatSymbol)] = [("<>", .notEqual), ("=<", .lessOrEqual), ("=>", .greaterOrEqual)]
        return Dictionary(spellings + others, uniquingKeysWith: { first, _ in first })
    }()

    private static let shortSymbols: [String: FormatSymbol] = {
        let spellings = FormatSymbol.allCases.filter { $0.rawValue.utf8.count == 1 }.map { ($0.rawValue, $0) }
        return Dictionary(spellings + [("=", .equal)], uniquingKeysWith: { first, _ in first })
    }()

    /// Reads `%@`, `%K`, `%2$@`, or a `printf` placeholder for numbers; length modifiers (`l`, `ll`, `h`, `q`, `z`) have
    /// no effect.
    private mutating func placeholder() throws(FormatError) -> FormatToken {
        let start = offset
        offset += 1
        let number = try argumentNumber(from: start)
        while let byte = peek(), Self.lengths.contains(byte) { offset += 1 }
        guard let conversion = peek() else { throw error(.unknownPlaceholder, at: start) }
        offset += 1
        switch conversion {
        case UInt8(ascii: "@"): return .placeholder(.object, argument: number)
        case UInt8(ascii: "K"): return .placeholder(.keyPath, argument: number)
        case UInt8(ascii: "%") where number == nil: return .symbol(.modulus)
        case UInt8(ascii: "c"), UInt8(ascii: "C"): return .placeholder(.character, argument: number)
        case UInt8(ascii: "s"), UInt8(ascii: "S"): return .placeholder(.text, argument: number)
        case _ where Self.numberConversions.contains(conversion): return .placeholder(.number, argument: number)
        default: throw error(.unknownPlaceholder, at: start)
        }
    }

    /// Reads `2$` if it comes next.
    private mutating func argumentNumber(from start: Int) throws(FormatError) -> Int? {
        guard let first = peek(), Self.isDigit(first) else { return nil }
        let digits = offset
        skipDigits()
        guard peek() == UInt8(ascii: "$"), let number = Int(string(digits..<offset)), number > 0 else {
            throw error(.unknownPlaceholder, at: start)
        }
        offset += 1
        return number
    }

    private static let lengths = Set("lhqzjtL".utf8)
    private static let numberConversions = Set("dDiuUxXoOeEfFgGaA".utf8)
}

// MARK: - Numbers

extension FormatLexer {
    private mutating func number() throws(FormatError) -> FormatConstant {
        let start = offset
        let constant = radix() ?? decimal()
        guard let constant else { throw error(.malformedNumber, at: start) }
        if let byte = peek(), Self.isNamePart(byte) { throw error(.malformedNumber, at: start) }
        return constant
    }

    /// `0x1F`, `0o17`, `0b101`
    private mutating func radix() -> FormatConstant? {
        guard peek() == UInt8(ascii: "0"), let mark = peek(1), let radix = Self.radixes[mark | 0x20] else { return nil }
        var end = offset + 2
        while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
        guard let integer = Int64(string(offset + 2..<end), radix: radix) else { return nil }
        offset = end
        return .integer(integer)
    }

    private static let radixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]

    /// Reads a number. Whole numbers of any length are exact; with a point or an exponent it is a real.
    private mutating func decimal() -> FormatConstant? {
        let start = offset
        skipDigits()
        var isReal = false
        if peek() == UInt8(ascii: "."), let digit = peek(1), Self.isDigit(digit) {
            isReal = true
            offset += 1
            skipDigits()
        }
        if let mark = peek(), mark | 0x20 == UInt8(ascii: "e") {
            var sign = 1
            if let byte = peek(1), byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { sign = 2 }
            guard let digit = peek(sign), Self.isDigit(digit) else { return nil }
            isReal = true
            offset += sign
            skipDigits()
        }
        let text = string(start..<offset)
        if isReal { return Self.finite(text.hasPrefix(".") ? "0" + text : text) }
        if let integer = Int64(text) { return .integer(integer) }
        // A decimal has at most 38 digits; longer numbers become the nearest real.
        if text.utf8.count <= 38 { return Decimal(string: text).map(FormatConstant.decimal) }
        return Self.finite(text)
    }

    private static func finite(_ text: String) -> FormatConstant? {
        Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { offset += 1 }
    }
}

// MARK: - Texts

extension FormatLexer {
    /// Reads a text in quotation marks. A backslash before a character without an escape meaning is kept, so that regular
    /// expressions can be written unchanged.
    private mutating func text(quote: UInt8) throws(FormatError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while let byte = peek() {
            offset += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = peek() {
                offset += 1
                escape(escaped, into: &text)
            } else {
                text.append(byte)
            }
        }
        throw error(.unterminatedText, at: start)
    }

    private mutating func escape(_ escaped: UInt8, into text: inout [UInt8]) {
        switch escaped {
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(escaped)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "u"):
            let end = min(offset + 4, bytes.count)
            if end - offset == 4, let number = UInt32(string(offset..<end), radix: 16),
                let scalar = Unicode.Scalar(number)
            {
                offset = end
                text.append(contentsOf: String(Character(scalar)).utf8)
            } else {
                text.append(contentsOf: [UInt8(ascii: "\\"), escaped])
            }
        default: text.append(contentsOf: [UInt8(ascii: "\\"), escaped])
        }
    }
}
