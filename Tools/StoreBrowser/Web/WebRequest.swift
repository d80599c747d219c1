import Foundation

/// A request before routing.
struct WebRequest: Sendable {
    var method: String
    /// Path and query, as sent.
    var target: String
    /// By lower-case name.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    /// Parts of the path, percent-encoded.
    var segments: [String] {
        target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    }

    /// - Throws: `Problem` if the query is not UTF-8.
    var query: Fields {
        get throws {
            guard let mark = target.firstIndex(of: "?") else { return Fields() }
            guard let fields = Fields(target[target.index(after: mark)...]) else {
                throw Problem(.badRequest, "Not understood", "What follows the question mark cannot be read as text.")
            }
            return fields
        }
    }

    /// - Throws: `Problem` for another content type.
    var form: Fields {
        get throws {
            let type = headers["content-type"]?.split(separator: ";").first.map { $0.lowercased() }
            guard type == "application/x-www-form-urlencoded", let text = String(validating: body, as: UTF8.self),
                let fields = Fields(text[...])
            else {
                throw Problem(.badRequest, "Not understood", "The form could not be read. Go back and send it again.")
            }
            return fields
        }
    }
}

/// Names and values of a query or a form; a name may occur several times.
struct Fields: Sendable {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    /// - Returns: `nil` if the text is not UTF-8.
    init?(_ text: Substring) {
        for part in text.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decoded(halves[0], isForm: true),
                let value = PercentText.decoded(halves.count > 1 ? halves[1] : "", isForm: true)
            else { return nil }
            pairs.append((name, value))
        }
    }

    var isEmpty: Bool { pairs.isEmpty }

    /// - Returns: `nil` for a field that is missing or empty.
    subscript(name: String) -> String? {
        pairs.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// - Returns: `nil` for a field that is missing.
    func sent(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Distinct names, in the order in which they were sent.
    var names: [String] {
        pairs.reduce(into: []) { names, pair in
            if !names.contains(pair.name) { names.append(pair.name) }
        }
    }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

    /// - Throws: `Problem` for a value that is no number of at least 1.
    func number(_ name: String) throws -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw Problem(.badRequest, "Not understood", "'\(name)' is a number from 1 on, not '\(text)'.")
        }
        return number
    }

    /// Rejects unknown and repeated fields. Ignoring a condition would select more rows.
    /// - Parameters:
    ///   - names: the known names.
    ///   - repeated: names that may occur several times.
    /// - Throws: `Problem`.
    func check(_ names: [String], repeated: Set<String> = []) throws {
        var seen: Set<String> = []
        for (name, _) in pairs {
            guard names.contains(name) || repeated.contains(name) else {
                throw Problem(
                    .badRequest, "Not understood",
                    "'\(name)' has no meaning here.\(names.isEmpty ? "" : " Known: \(names.joined(separator: ", ")).")"
                )
            }
            guard seen.insert(name).inserted || repeated.contains(name) else {
                throw Problem(.badRequest, "Not understood", "'\(name)' is given twice.")
            }
        }
    }
}

/// Percent-encoding for addresses.
enum PercentText {
    /// Encodes everything but letters, digits, `-`, `_` and `~`. Dots are encoded, too, so that an extension is never
    /// part of a name.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }

    /// - Parameter isForm: whether a plus stands for a space.
    /// - Returns: `nil` if the result is not UTF-8, or an escape is incomplete.
    static func decoded(_ text: Substring, isForm: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let first = rest.popFirst().flatMap(digit), let second = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(first << 4 | second)
            } else {
                bytes.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
