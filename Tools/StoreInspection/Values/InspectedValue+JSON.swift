import Foundation
import ObjectGraph

extension InspectedValue {
    package enum JSONForm: Sendable {
        /// One line.
        case compact
        /// Indented by two spaces for each level.
        case indented
    }

    package func json(_ form: JSONForm = .compact) -> String {
        var text = ""
        write(to: &text, form, depth: 0)
        return text
    }

    private func write(to text: inout String, _ form: JSONForm, depth: Int) {
        switch self {
        case .none: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        // JSON has no notation for infinity and NaN; a text preserves them, null would not.
        case .real(let number) where !number.isFinite: Self.quote(String(describing: number), &text)
        case .real(let number): text += String(describing: number)
        case .number(let digits): text += digits
        case .text(let content): Self.quote(content, &text)
        case .list(let elements):
            // Lists of plain values are written on one line.
            let isPlain = elements.allSatisfy(\.isPlain)
            Self.write(
                "[", "]", elements, isPlain ? .compact : form, depth, &text, spaced: isPlain && form == .indented
            ) {
                $0.write(to: &$1, form, depth: depth + 1)
            }
        case .fields(let fields):
            Self.write("{", "}", fields, form, depth, &text, spaced: false) { field, text in
                Self.quote(field.name, &text)
                text += form == .indented ? ": " : ":"
                field.value.write(to: &text, form, depth: depth + 1)
            }
        }
    }

    private static func write<Element>(
        _ open: String, _ close: String, _ elements: [Element], _ form: JSONForm, _ depth: Int, _ text: inout String,
        spaced: Bool, _ body: (Element, inout String) -> Void
    ) {
        guard !elements.isEmpty else {
            text += open + close
            return
        }
        text += open
        for (place, element) in elements.enumerated() {
            if place > 0 { text += spaced ? ", " : "," }
            if form == .indented { text += "\n" + String(repeating: "  ", count: depth + 1) }
            body(element, &text)
        }
        if form == .indented { text += "\n" + String(repeating: "  ", count: depth) }
        text += close
    }

    private static func quote(_ content: String, _ text: inout String) {
        text += "\""
        if isPlain(content) { text += content } else { escape(content, &text) }
        text += "\""
    }

    /// Whether the text needs no escapes. Examines only the first byte of each UTF-8 sequence; other characters with
    /// the same first byte merely take the slow path.
    private static func isPlain(_ content: String) -> Bool {
        content.utf8.allSatisfy { byte in
            switch byte {
            case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2: false
            default: true
            }
        }
    }

    private static func escape(_ content: String, _ text: inout String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // Escapes all control characters, as they affect terminals, and the line and paragraph separators, which
            // end a line for some readers of ndjson.
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension InspectedValue {
    /// The value as one cell of CSV or of a table: texts as they are, lists separated by semicolons, fields as JSON.
    package var cellText: String {
        switch self {
        case .none: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .real(let number): String(describing: number)
        case .number(let digits): digits
        case .text(let text): text
        case .list(let elements): elements.map(\.cellText).joined(separator: ";")
        case .fields: lostMark ?? json()
        }
    }

    /// A CSV line according to RFC 4180, without its line end.
    package static func csvLine(_ cells: [InspectedValue]) -> String {
        cells.map { csvCell($0) }.joined(separator: ",")
    }

    /// Quotes the empty text to distinguish it from nil.
    private static func csvCell(_ value: InspectedValue) -> String {
        let text = value.cellText
        if value.isNone || value == .list([]) { return "" }
        let needsQuotes =
            text.isEmpty || text.first == " " || text.last == " "
            || text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? "\"" + text.replacingScalar("\"", with: "\"\"") + "\"" : text
    }
}
