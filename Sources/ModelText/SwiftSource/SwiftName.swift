import Foundation

/// Names and literals as Swift spells them.
enum SwiftName {
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "Protocol", "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "Type", "typealias", "var", "where", "while",
    ]

    /// Words of the language need quotes.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Names of model files end up in Swift sources, so nothing else gets there.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    /// `owner.name`: identifiers with points between them.
    static func isPath(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isIdentifier(String($0)) }
    }

    /// A text of the model's on one line, so that it stays within the comment it is put into.
    static func comment(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let endsLine = scalar.properties.generalCategory == .control || ["\u{2028}", "\u{2029}"].contains(scalar)
            line.append(endsLine ? " " : scalar)
        }
        return String(line)
    }

    static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// `oldFashioned` for "Old Fashioned".
    static func caseName(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return "empty" }
        // An abbreviation stays one: "NA" becomes "na".
        let isAllUpper = first.allSatisfy { !$0.isLowercase }
        let head = isAllUpper ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let name = head + words.dropFirst().map { capitalized(String($0)) }.joined()
        return name.first?.isNumber == true ? "value" + name : escaped(name)
    }

    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\u{0}"..<" ", "\u{7F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
