import Foundation
import ObjectGraph

/// Integers that overflow or are divided by zero give nil in a query, where Swift would stop.
extension PredicateExpressions.Arithmetic: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let operation: ObjectGraph.ArithmeticOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            }
        return try translation.arithmetic(self, operation, lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.arithmetic(self, .divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.arithmetic(self, .remainder, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.arithmetic(self, .divide, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        if try translation.operand(wrapped).isConstant { return try translation.constant(self) }
        return .value(.negative(try translation.scalar(wrapped)))
    }
}

extension PredicateTranslation {
    fileprivate func arithmetic<Node: PredicateExpression, Left: PredicateExpression, Right: PredicateExpression>(
        _ node: Node, _ operation: ObjectGraph.ArithmeticOperator, _ left: Left, _ right: Right
    ) throws -> PredicateOperand {
        if try operand(left).isConstant, try operand(right).isConstant { return try constant(node) }
        guard Left.Output.self is any ScalarValue.Type else {
            throw PredicateTranslationError.needsMemory(
                construct: Construct.name(of: Node.self), reason: "\(Left.Output.self) is not a stored kind of number")
        }
        return .value(.arithmetic(operation, try scalar(left), try scalar(right)))
    }
}
