/// HTML text. Literals in the source are used as they are; every interpolated text is escaped, so that none can
/// be left unescaped.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    /// - Parameter trusted: text that is already HTML.
    init(trusted: String) { text = trusted }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        /// Literals become markup where possible; every other text is escaped.
        @_disfavoredOverload
        mutating func appendInterpolation(_ content: String) { text += Markup.escaped(content) }
        mutating func appendInterpolation(_ content: Markup) { text += content.text }
        mutating func appendInterpolation(_ content: Markup?) { text += content?.text ?? "" }
        mutating func appendInterpolation(_ contents: [Markup]) { for content in contents { text += content.text } }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ number: Int64) { text += String(number) }

        /// Appends the attribute if the condition holds.
        mutating func appendInterpolation(_ attribute: String, if condition: Bool) {
            if condition { text += " " + attribute }
        }
    }

    /// Escapes Unicode scalars, not characters: a quotation mark followed by a combining accent is a different
    /// character from a quotation mark, but still ends an attribute.
    static func escaped(_ content: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(content.utf8.count)
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{0}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Markup {
    static func + (left: Markup, right: Markup) -> Markup { Markup(trusted: left.text + right.text) }
}

extension [Markup] {
    func joined(_ separator: Markup = "") -> Markup {
        Markup(trusted: map(\.text).joined(separator: separator.text))
    }
}
