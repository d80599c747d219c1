import ObjectGraph

/// Parses conditions, from the loosest operator to the tightest: OR, AND, NOT, comparison.
extension FormatParser {
    mutating func disjunction() throws(FormatError) -> Node {
        let first = try conjunction()
        guard keyword == .or || token == .symbol(.or) else { return first }
        var parts = [first]
        while keyword == .or || token == .symbol(.or) {
            try advance()
            parts.append(try conjunction())
        }
        return try node(.or(try predicates(parts)), over: parts, from: first.start)
    }

    private mutating func conjunction() throws(FormatError) -> Node {
        let first = try negation()
        guard keyword == .and || token == .symbol(.and) else { return first }
        var parts = [first]
        while keyword == .and || token == .symbol(.and) {
            try advance()
            parts.append(try negation())
        }
        return try node(.and(try predicates(parts)), over: parts, from: first.start)
    }

    private func predicates(_ nodes: [Node]) throws(FormatError) -> [FormatPredicate] {
        var predicates: [FormatPredicate] = []
        predicates.reserveCapacity(nodes.count)
        for node in nodes { predicates.append(try predicate(node)) }
        return predicates
    }

    private mutating func negation() throws(FormatError) -> Node {
        guard keyword == .not || token == .symbol(.not) else { return try comparison() }
        let start = start
        try advance()
        let inner = try nested { (parser) throws(FormatError) in try parser.negation() }
        return try node(.not(try predicate(inner)), over: [inner], from: start)
    }

    // MARK: Comparisons

    private mutating func comparison() throws(FormatError) -> Node {
        let start = start
        let quantifier = Quantifier(keyword)
        if quantifier != nil { try advance() }
        let left = try calculation()
        guard let comparison = try comparisonOperator() else {
            if quantifier != nil { throw unexpected("an operator such as ==") }
            return left
        }
        let options = try options()
        let right = try calculation()
        let compared = FormatComparison(
            try expression(left), comparison, try expression(right), modifier: quantifier?.modifier ?? .direct,
            options: options)
        let result = try node(.comparison(compared), over: [left, right], from: start)
        return quantifier == .noneOf ? try node(.not(try predicate(result)), over: [result], from: start) : result
    }

    private enum Quantifier {
        case anyOf, allOf, noneOf

        init?(_ keyword: FormatKeyword?) {
            switch keyword {
            case .anyOf, .someOf: self = .anyOf
            case .allOf: self = .allOf
            case .noneOf: self = .noneOf
            default: return nil
            }
        }

        var modifier: FormatModifier { self == .allOf ? .all : .any }
    }

    /// Reads the operator that comes next, if there is one.
    private mutating func comparisonOperator() throws(FormatError) -> FormatOperator? {
        let found = if case .symbol(let symbol) = token { symbol.comparison } else { wordOperator }
        if found != nil { try advance() }
        return found
    }

    private var wordOperator: FormatOperator? {
        switch keyword {
        case .isIn: .isIn
        case .like: .like
        case .matches: .matches
        case .contains: .contains
        case .beginswith: .beginsWith
        case .endswith: .endsWith
        case .between: .between
        case .utiConformsTo: .conformsToType
        case .utiEquals: .equalsType
        default: nil
        }
    }

    /// Reads `[cd]`.
    private mutating func options() throws(FormatError) -> FormatOptions {
        guard token == .symbol(.leftBracket) else { return [] }
        try advance()
        guard case .word(let letters, isEscaped: false) = token else { throw error(.unknownOptions) }
        var options: FormatOptions = []
        for letter in letters.lowercased().utf8 {
            switch letter {
            case UInt8(ascii: "c"): options.insert(.caseInsensitive)
            case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
            case UInt8(ascii: "n"): options.insert(.normalized)
            case UInt8(ascii: "l"): options.insert(.localeSensitive)
            default: throw error(.unknownOptions)
            }
        }
        try advance()
        try expect(.rightBracket)
        return options
    }
}
