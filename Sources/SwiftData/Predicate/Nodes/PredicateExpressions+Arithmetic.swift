import Foundation
import ObjectGraph

/// In a query, an integer overflow or a division by zero gives nil, where Swift would trap.
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
        if try translation.operand(wrapped).isConstant {
            let value = try translation.value(of: wrapped)
            return try SafeArithmetic.negative(value) ?? translation.constant(self)
        }
        return .value(.negative(try translation.scalar(wrapped)))
    }
}

extension PredicateTranslation {
    fileprivate func arithmetic<Node: PredicateExpression, Left: PredicateExpression, Right: PredicateExpression>(
        _ node: Node, _ operation: ObjectGraph.ArithmeticOperator, _ left: Left, _ right: Right
    ) throws -> PredicateOperand {
        if try operand(left).isConstant, try operand(right).isConstant {
            return try SafeArithmetic.result(operation, value(of: left), value(of: right)) ?? constant(node)
        }
        guard Left.Output.self is any ScalarValue.Type else {
            throw PredicateTranslationError.needsMemory(
                construct: Construct.name(of: Node.self), reason: "\(Left.Output.self) is not a stored kind of number")
        }
        return .value(.arithmetic(operation, try scalar(left), try scalar(right)))
    }
}

/// Arithmetic with captured integers that does not trap: an undefined result is nil, as it is for stored integers.
private enum SafeArithmetic {
    /// `nil` if an operand is not an integer.
    static func result(_ operation: ObjectGraph.ArithmeticOperator, _ left: Any, _ right: Any) -> PredicateOperand? {
        func open<Number: FixedWidthInteger>(_ left: Number) -> PredicateOperand? {
            (right as? Number).map { operand(compute(operation, left, $0)) }
        }
        return (left as? any FixedWidthInteger).flatMap { open($0) }
    }

    static func negative(_ value: Any) -> PredicateOperand? {
        func open<Number: FixedWidthInteger>(_ value: Number) -> PredicateOperand {
            operand(Number.zero.subtractingReportingOverflow(value))
        }
        return (value as? any FixedWidthInteger).map { open($0) }
    }

    private static func compute<Number: FixedWidthInteger>(
        _ operation: ObjectGraph.ArithmeticOperator, _ left: Number, _ right: Number
    ) -> (partialValue: Number, overflow: Bool) {
        switch operation {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: left.remainderReportingOverflow(dividingBy: right)
        }
    }

    /// Nil as a value rather than a constant: a constant's node would be evaluated again, with the nodes around it.
    private static func operand<Number>(_ result: (partialValue: Number, overflow: Bool)) -> PredicateOperand {
        result.overflow ? .value(.literal(.null)) : .constant(result.partialValue)
    }
}
