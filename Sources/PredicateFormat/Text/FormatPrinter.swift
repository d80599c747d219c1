import Foundation
import ObjectGraph

/// Prints predicates and expressions like `predicateFormat`, in a form that can be parsed again.
struct FormatPrinter {
    private(set) var text = ""
    /// The values of the text's placeholders, which only archives have.
    private(set) var arguments: [ArchivedFormat.Argument] = []
    let purpose: Purpose

    enum Purpose {
        /// Like Foundation's description.
        case description
        /// Parsed to exactly the same tree again.
        case archive
    }

    init(_ purpose: Purpose = .description) { self.purpose = purpose }

    mutating func write(_ part: String) { text += part }

    /// Writes a placeholder and notes its value.
    mutating func write(_ argument: ArchivedFormat.Argument) {
        write(argument.placeholder)
        arguments.append(argument)
    }

    // MARK: Predicates

    mutating func print(_ predicate: FormatPredicate) {
        switch predicate {
        case .constant(let truth): text += truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): print(comparison)
        case .not(let inner):
            text += "NOT "
            printPart(inner)
        case .and(let parts): print(parts, " AND ", empty: "TRUEPREDICATE")
        case .or(let parts): print(parts, " OR ", empty: "FALSEPREDICATE")
        case .block: text += "BLOCKPREDICATE"
        case .malformed(_, let source): text += source
        }
    }

    private mutating func print(_ parts: [FormatPredicate], _ separator: String, empty: String) {
        if parts.isEmpty { text += empty }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            printPart(part)
        }
    }

    /// Prints a part of a compound, with parentheses around compounds.
    private mutating func printPart(_ predicate: FormatPredicate) {
        switch predicate {
        case .constant, .comparison, .block, .malformed: print(predicate)
        case .not, .and, .or:
            text += "("
            print(predicate)
            text += ")"
        }
    }

    private mutating func print(_ comparison: FormatComparison) {
        switch comparison.modifier {
        case .direct: break
        case .all: text += "ALL "
        case .any: text += "ANY "
        }
        print(comparison.left)
        text += " \(comparison.comparison.sign)\(comparison.options.suffix) "
        print(comparison.right)
    }

    // MARK: Expressions

    mutating func print(_ expression: FormatExpression) {
        switch expression {
        case .constant(let constant): print(constant)
        case .evaluatedObject: text += "SELF"
        case .variable(let name): text += "$\(name)"
        case .keyPath(let path): print(keyPath: path)
        case .keyPathOf(let base, let path):
            printOperand(base, above: Self.tightest)
            text += "."
            print(furtherPath: path)
        case .element(let base, let index):
            printOperand(base, above: Self.tightest)
            text += "["
            print(index)
            text += "]"
        case .function(let function, let arguments): print(function, arguments)
        case .call(let target, let selector, let arguments):
            text += "FUNCTION("
            print(list: [target, .constant(.text(selector))] + arguments)
            text += ")"
        case .fetch(let request, let context, let countOnly):
            text += "FETCH("
            print(list: [request, context])
            text += countOnly ? ", YES)" : ", NO)"
        case .aggregate(let parts):
            text += "{"
            print(list: parts)
            text += "}"
        case .set(let operation, let left, let right):
            printOperand(left, above: 0)
            text += " \(operation.rawValue) "
            printOperand(right, above: 1)
        case .subquery(let collection, let variable, let predicate):
            text += "SUBQUERY("
            print(collection)
            text += ", $\(variable), "
            print(predicate)
            text += ")"
        case .conditional(let predicate, let then, let otherwise):
            text += "TERNARY("
            print(predicate)
            text += ", "
            print(list: [then, otherwise])
            text += ")"
        case .cast(let value, let type):
            text += "CAST("
            print(list: [value, .constant(.text(type))])
            text += ")"
        case .assignment(let name, let value):
            text += "$\(name) := "
            printOperand(value, above: 0)
        case .anyKey: text += "ANYKEY"
        case .block(_, let arguments):
            text += "BLOCK("
            print(list: arguments)
            text += ")"
        case .malformed(_, let source): text += source
        }
    }

    private mutating func print(list expressions: [FormatExpression]) {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { text += ", " }
            print(expression)
        }
    }

    private mutating func print(_ index: FormatIndex) {
        switch index {
        case .position(let position): print(position)
        case .first: text += "FIRST"
        case .last: text += "LAST"
        case .size: text += "SIZE"
        }
    }

    private mutating func print(_ function: FormatFunction, _ arguments: [FormatExpression]) {
        if let sign = function.sign, arguments.count == 2 {
            printNumber(arguments[0], above: function.signPrecedence)
            text += " \(sign) "
            printNumber(arguments[1], above: function.signPrecedence + 1)
        } else {
            text += "\(function.rawValue)("
            print(list: arguments)
            text += ")"
        }
    }

    /// Prints an operand of a calculation. A whole real keeps its decimal point here, because integers divide without a
    /// remainder.
    private mutating func printNumber(_ expression: FormatExpression, above precedence: Int) {
        if case .constant(.real(let real)) = expression, real.isFinite {
            text += "\(real)"
        } else {
            printOperand(expression, above: precedence)
        }
    }

    /// Prints an operand, with parentheses unless its precedence is high enough.
    private mutating func printOperand(_ expression: FormatExpression, above precedence: Int) {
        guard expression.printedPrecedence < precedence else { return print(expression) }
        text += "("
        print(expression)
        text += ")"
    }

    private static let tightest = 5

    // MARK: Names

    private mutating func print(keyPath path: String) {
        let escaped = Self.escaped(path)
        if isRead(escaped, as: .keyPath(path)) { write(escaped) } else { write(.keyPath(path)) }
    }

    /// Prints the rest of a key path after an expression.
    private mutating func print(furtherPath path: String) {
        // Parsing the path does not depend on its start.
        if isRead("SELF.\(path)", as: .keyPathOf(.evaluatedObject, path)) {
            write(path)
        } else {
            write(.keyPath(path))
        }
    }

    /// Whether the text is parsed as expected. Descriptions show names unchanged; in an archive, an invalid name would
    /// change its meaning.
    private func isRead(_ text: String, as expected: FormatExpression) -> Bool {
        purpose == .description || (try? ExpressionFormat(parsing: text).expression) == expected
    }

    /// Returns the key path with `#` before a word that would be parsed as something else.
    private static func escaped(_ path: String) -> String {
        let first = path.prefix { $0 != "." }
        return FormatKeyword.isReserved(String(first)) ? "#" + path : path
    }
}

extension FormatExpression {
    /// The precedence; 0 for an expression that always needs parentheses beside an operator.
    fileprivate var printedPrecedence: Int {
        switch self {
        case .set: 0
        case .assignment: -1
        case .function(let function, let arguments):
            function.sign == nil || arguments.count != 2 ? 5 : function.signPrecedence
        case .constant(let constant): constant.isPrintedNumber ? 4 : 5
        default: 5
        }
    }
}

extension FormatOperator {
    /// The operator as written.
    package var sign: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .isIn: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .conformsToType: "UTI-CONFORMS-TO"
        case .equalsType: "UTI-EQUALS"
        }
    }
}

extension FormatOptions {
    fileprivate var suffix: String {
        let letters: [(FormatOptions, String)] = [
            (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
        ]
        let chosen = letters.filter { contains($0.0) }.map(\.1).joined()
        return chosen.isEmpty ? "" : "[\(chosen)]"
    }
}

extension FormatPredicate: CustomStringConvertible {
    /// The predicate as text.
    package var description: String {
        var printer = FormatPrinter()
        printer.print(self)
        return printer.text
    }
}

extension FormatExpression: CustomStringConvertible {
    /// The expression as text.
    package var description: String {
        var printer = FormatPrinter()
        printer.print(self)
        return printer.text
    }
}
