import SwiftSyntax

extension PredicateRewriter {
    func infix(_ infix: InfixOperatorExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        guard let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let operation = InfixOperation(symbol)
        else { return refuse(.operation(infix.operator.trimmedDescription), at: infix.operator) }
        let left = operand(infix.leftOperand, of: operation, in: scope)
        return operation.node(of: left, operand(infix.rightOperand, of: operation, in: scope))
    }

    /// An operand of a connective is a Boolean, so its type does not depend on the other operand.
    private func operand(
        _ expression: ExprSyntax, of operation: InfixOperation, in scope: PredicateScope
    ) -> PredicateTerm {
        let term = term(expression, in: scope)
        return if case .connective = operation { separate(term, in: scope) } else { term }
    }

    func prefix(_ prefix: PrefixOperatorExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let operand = term(prefix.expression, in: scope)
        switch prefix.operator.text {
        case "!": return .test(Build.call("Negation", operand.argument))
        case "-": return .node(Build.call("UnaryMinus", operand.argument))
        default: return refuse(.operation(prefix.operator.text), at: prefix.operator)
        }
    }

    /// The compiler folds sequences of standard operators; an unfolded one contains another operator.
    func unfolded(_ sequence: SequenceExprSyntax) -> PredicateTerm {
        let operators = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator }
        guard let unknown = operators.first(where: { InfixOperation($0.text) == nil }) else {
            return refuse(.syntax(ExprSyntax(sequence)), at: sequence)
        }
        return refuse(.operation(unknown.text), at: unknown)
    }
}

/// The translation of an operator: the function, and the case that distinguishes operators of the same function.
private enum InfixOperation {
    case connective(String)
    case test(String, op: String? = nil)
    case value(String, op: String? = nil)
    case range(String)

    init?(_ symbol: String) {
        switch symbol {
        case "&&": self = .connective("Conjunction")
        case "||": self = .connective("Disjunction")
        case "==": self = .test("Equal")
        case "!=": self = .test("NotEqual")
        case "<": self = .test("Comparison", op: "lessThan")
        case "<=": self = .test("Comparison", op: "lessThanOrEqual")
        case ">": self = .test("Comparison", op: "greaterThan")
        case ">=": self = .test("Comparison", op: "greaterThanOrEqual")
        case "+": self = .value("Arithmetic", op: "add")
        case "-": self = .value("Arithmetic", op: "subtract")
        case "*": self = .value("Arithmetic", op: "multiply")
        case "/": self = .value("Division")
        case "%": self = .value("Remainder")
        case "??": self = .value("NilCoalesce")
        case "..<": self = .range("Range")
        case "...": self = .range("ClosedRange")
        default: return nil
        }
    }

    func node(of left: PredicateTerm, _ right: PredicateTerm) -> PredicateTerm {
        switch self {
        case .connective(let name): .test(Self.call(name, left, right, nil))
        case .test(let name, let op): .test(Self.call(name, left, right, op))
        case .value(let name, let op): .node(Self.call(name, left, right, op))
        case .range(let name): .node(Build.call(name, "lower: \(left.argument)", "upper: \(right.argument)"))
        }
    }

    private static func call(_ name: String, _ left: PredicateTerm, _ right: PredicateTerm, _ op: String?) -> String {
        let operands = ["lhs: \(left.argument)", "rhs: \(right.argument)"]
        return Build.call(name, (operands + (op.map { ["op: .\($0)"] } ?? [])).joined(separator: ", "))
    }
}
