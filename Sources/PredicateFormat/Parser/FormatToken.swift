import ObjectGraph

/// A token of the predicate language.
enum FormatToken: Hashable {
    /// A name or a keyword. After `#` it is always a name. May contain colons, as in `add:to:`.
    case word(String, isEscaped: Bool)
    /// `@count`
    case collectionOperator(String)
    case number(FormatConstant)
    case text(String)
    /// `$name`
    case variable(String)
    /// A placeholder with the number of its argument, counted from 1, if it has one: `%2$@`.
    case placeholder(FormatPlaceholder, argument: Int?)
    case symbol(FormatSymbol)
    case end
}

/// A placeholder for an argument.
enum FormatPlaceholder: Hashable {
    /// `%@`
    case object
    /// `%K`
    case keyPath
    /// `%d`, `%f` and similar placeholders.
    case number
    /// `%c`
    case character
    /// `%s`
    case text
}

enum FormatSymbol: String, Hashable, CaseIterable {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case power = "**"
    case divided = "/"
    case modulus = "%%"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case complement = "~"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case assign = ":="

    /// The comparison operator of the symbol.
    var comparison: FormatOperator? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }
}

extension FormatToken {
    /// The name of the token for messages, without the content of texts.
    var name: String {
        switch self {
        case .word(let word, _): "'\(word)'"
        case .collectionOperator(let word): "'@\(word)'"
        case .number: "a number"
        case .text: "a text"
        case .variable(let name): "'$\(name)'"
        case .placeholder: "a placeholder"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .end: "the end"
        }
    }
}

/// Reserved words, in any case. After `#` or a dot they are names.
enum FormatKeyword: String, Hashable, CaseIterable {
    case and, or, not
    case anyOf = "any"
    case someOf = "some"
    case allOf = "all"
    case noneOf = "none"
    case isIn = "in"
    case like, matches, contains, beginswith, endswith, between
    case utiConformsTo = "uti-conforms-to"
    case utiEquals = "uti-equals"
    case null
    case nothing = "nil"
    case itself = "self"
    case isTrue = "true"
    case isFalse = "false"
    case yes, no
    case truepredicate, falsepredicate
    case subquery, cast, ternary, function, fetch, anykey
    case union, intersect, minus

    init?(_ word: String) {
        guard let found = Self.byName[word.lowercased()] else { return nil }
        self = found
    }

    private static let byName = Dictionary(
        allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// Whether the word is a name unless a parenthesis follows.
    var isCall: Bool {
        switch self {
        case .subquery, .cast, .ternary, .function, .fetch: true
        default: false
        }
    }

    /// Whether a key path that begins with the word is written with `#`, here and in Apple's language.
    static func isReserved(_ word: String) -> Bool {
        guard let keyword = Self(word) else { return alsoReserved.contains(word.lowercased()) }
        return !keyword.isCall || [.subquery, .cast, .fetch].contains(keyword)
    }

    private static let alsoReserved: Set<String> = ["first", "last", "size", "ci", "caseinsensitive"]
}
