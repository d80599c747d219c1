import Foundation
import ObjectGraph

/// Parses values and infix operators by precedence, from the loosest: set operators, bitwise operators (`|`, `^`, `&`,
/// shifts, as in C), sums, products, powers, signs, and postfix parts of a value. Operators of equal precedence are
/// left-associative.
extension FormatParser {
    mutating func calculation() throws(FormatError) -> Node { try calculation(above: 0) }

    /// - Parameter precedence: Operators that bind no tighter are left to the caller.
    private mutating func calculation(above precedence: Int) throws(FormatError) -> Node {
        var left = try signed()
        while let sign = infix, sign.precedence > precedence {
            try advance()
            let right = try calculation(above: sign.precedence)
            let expression = sign.joining(try expression(left), try expression(right))
            left = try node(expression, over: [left, right], from: left.start)
        }
        return left
    }

    /// The infix operator that comes next, if there is one.
    private var infix: Infix? {
        switch token {
        case .symbol(.plus): .function(.add)
        case .symbol(.minus): .function(.subtract)
        case .symbol(.times): .function(.multiply)
        case .symbol(.divided): .function(.divide)
        case .symbol(.modulus): .function(.modulus)
        case .symbol(.power): .function(.power)
        case .symbol(.bitAnd): .function(.bitAnd)
        case .symbol(.bitOr): .function(.bitOr)
        case .symbol(.bitXor): .function(.bitXor)
        case .symbol(.shiftLeft): .function(.shiftLeft)
        case .symbol(.shiftRight): .function(.shiftRight)
        case .word(let word, isEscaped: false): FormatSetOperation(rawValue: word.uppercased()).map(Infix.set)
        default: nil
        }
    }

    private enum Infix {
        case function(FormatFunction)
        case set(FormatSetOperation)

        var precedence: Int {
            switch self {
            case .set: 1
            case .function(.bitOr): 2
            case .function(.bitXor): 3
            case .function(.bitAnd): 4
            case .function(.shiftLeft), .function(.shiftRight): 5
            case .function(.add), .function(.subtract): 6
            case .function(.power): 8
            case .function: 7
            }
        }

        func joining(_ left: FormatExpression, _ right: FormatExpression) -> FormatExpression {
            switch self {
            case .function(let function): .function(function, [left, right])
            case .set(let operation): .set(operation, left, right)
            }
        }
    }

    /// Parses `-5` as a number, `-a` as a subtraction from zero, `~a` as the complement.
    private mutating func signed() throws(FormatError) -> Node {
        let start = start
        if token == .symbol(.complement) {
            try advance()
            let operand = try nested { (parser) throws(FormatError) in try parser.signed() }
            return try node(.function(.complement, [try expression(operand)]), over: [operand], from: start)
        }
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

    // MARK: Postfix parts

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

    /// A longer key path does not make the tree deeper.
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
        case .placeholder(.keyPath, let number): return try keyPathArgument(number)
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
    /// `nil` for a word that is not an index.
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
    /// The negated number; `nil` for a constant that is not a number.
    fileprivate var negatedNumber: FormatConstant? {
        switch self {
        case .integer(let integer): integer == .min ? nil : .integer(-integer)
        case .real(let real): .real(-real)
        // The minimum integer has no positive counterpart.
        case .decimal(let decimal): decimal == Decimal(Int64.max) + 1 ? .integer(.min) : .decimal(-decimal)
        default: nil
        }
    }
}
