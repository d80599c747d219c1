import Foundation

/// Values, from the loosest binding to the tightest: sets, sums, products, powers, signs, what follows a value.
extension FormatParser {
    mutating func sets() throws(FormatError) -> Node {
        var left = try sum()
        while let operation = setOperation {
            try advance()
            let right = try sum()
            let set = FormatExpression.set(operation, try expression(left), try expression(right))
            left = try node(set, over: [left, right], from: left.start)
        }
        return left
    }

    private var setOperation: FormatSetOperation? {
        switch keyword {
        case .union: .union
        case .intersect: .intersect
        case .minus: .minus
        default: nil
        }
    }

    private mutating func sum() throws(FormatError) -> Node {
        var left = try product()
        while let function = function(.plus, .add) ?? function(.minus, .subtract) {
            try advance()
            left = try applied(function, left, try product())
        }
        return left
    }

    private mutating func product() throws(FormatError) -> Node {
        var left = try power()
        while let function = function(.times, .multiply) ?? function(.divided, .divide) ?? function(.modulus, .modulus)
        {
            try advance()
            left = try applied(function, left, try power())
        }
        return left
    }

    private mutating func power() throws(FormatError) -> Node {
        var left = try signed()
        while token == .symbol(.power) {
            try advance()
            left = try applied(.power, left, try signed())
        }
        return left
    }

    private func function(_ symbol: FormatSymbol, _ function: FormatFunction) -> FormatFunction? {
        token == .symbol(symbol) ? function : nil
    }

    private func applied(_ function: FormatFunction, _ left: Node, _ right: Node) throws(FormatError) -> Node {
        try node(
            .function(function, [try expression(left), try expression(right)]), over: [left, right], from: left.start)
    }

    /// `-5` is a number, `-a` a subtraction from zero.
    private mutating func signed() throws(FormatError) -> Node {
        let start = start
        guard token == .symbol(.minus) || token == .symbol(.plus) else { return try followed() }
        let isNegative = token == .symbol(.minus)
        try advance()
        let operand = try nested { (parser) throws(FormatError) in try parser.signed() }
        guard isNegative else { return operand }
        if case .expression(.constant(let constant)) = operand.content, let negative = constant.negatedNumber {
            return try node(.constant(negative), from: start)
        }
        let zero = FormatExpression.constant(.integer(0))
        return try node(.function(.subtract, [zero, try expression(operand)]), over: [operand], from: start)
    }

    // MARK: What follows a value

    private mutating func followed() throws(FormatError) -> Node {
        var left = try primary()
        while true {
            if token == .symbol(.dot) {
                try advance()
                left = try node(
                    joined(try expression(left), path: try pathComponent()), over: [left], from: left.start,
                    isDeeper: !isPath(left))
            } else if token == .symbol(.leftBracket) {
                left = try indexed(left)
            } else {
                return left
            }
        }
    }

    private func isPath(_ node: Node) -> Bool {
        if case .expression(let expression) = node.content {
            switch expression {
            case .keyPath, .keyPathOf: return true
            default: return false
            }
        }
        return false
    }

    /// A longer key path is no deeper a tree.
    private func node(
        _ expression: FormatExpression, over parts: [Node], from start: Int, isDeeper: Bool
    ) throws(FormatError) -> Node {
        if isDeeper { return try node(expression, over: parts, from: start) }
        return Node(content: .expression(expression), height: parts.first?.height ?? 1, start: start)
    }

    private func joined(_ base: FormatExpression, path: String) -> FormatExpression {
        switch base {
        case .keyPath(let start): .keyPath(start + "." + path)
        case .keyPathOf(let inner, let start): .keyPathOf(inner, start + "." + path)
        default: .keyPathOf(base, path)
        }
    }

    private mutating func pathComponent() throws(FormatError) -> String {
        switch token {
        case .word(let word, _):
            try advance()
            return word
        case .collectionOperator(let word):
            try advance()
            return "@" + word
        case .placeholder(.keyPath): return try keyPathArgument()
        default: throw unexpected("a name")
        }
    }

    private mutating func indexed(_ base: Node) throws(FormatError) -> Node {
        try expect(.leftBracket)
        let index: FormatIndex
        var parts = [base]
        if case .word(let word, isEscaped: false) = token, let named = FormatIndex(word: word) {
            try advance()
            index = named
        } else {
            let position = try nested { (parser) throws(FormatError) in try parser.disjunction() }
            parts.append(position)
            index = .position(try expression(position))
        }
        try expect(.rightBracket)
        return try node(.element(try expression(base), index), over: parts, from: base.start)
    }
}

extension FormatIndex {
    /// `nil` for a word that names no place.
    package init?(word: String) {
        switch word.lowercased() {
        case "first": self = .first
        case "last": self = .last
        case "size": self = .size
        default: return nil
        }
    }
}

extension FormatConstant {
    /// The number with the other sign; `nil` for what is no number.
    fileprivate var negatedNumber: FormatConstant? {
        switch self {
        case .integer(let integer): integer == .min ? nil : .integer(-integer)
        case .real(let real): .real(-real)
        // The least integer has no positive counterpart.
        case .decimal(let decimal): decimal == Decimal(Int64.max) + 1 ? .integer(.min) : .decimal(-decimal)
        default: nil
        }
    }
}
