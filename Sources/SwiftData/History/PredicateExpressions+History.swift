import Foundation
import ObjectGraph

/// A node of Foundation's expression tree that a store's history can evaluate.
protocol HistoryTranslatable: PredicateExpression {
    /// `nil` if only memory can evaluate the node.
    var historyOperand: HistoryOperand? { get }
}

extension PredicateExpressions.Variable: HistoryTranslatable {
    var historyOperand: HistoryOperand? { Output.self == DefaultHistoryTransaction.self ? .transaction : nil }
}

extension PredicateExpressions.KeyPath: HistoryTranslatable {
    var historyOperand: HistoryOperand? {
        guard case .transaction? = HistoryOperand(root),
            let keyPath = keyPath as AnyKeyPath as? PartialKeyPath<DefaultHistoryTransaction>
        else { return nil }
        return HistoryField(keyPath).map(HistoryOperand.field)
    }
}

extension PredicateExpressions.Comparison: HistoryTranslatable {
    var historyOperand: HistoryOperand? {
        let comparison: ObjectGraph.ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return .comparison(comparison, HistoryOperand(lhs), HistoryOperand(rhs))
    }
}

extension PredicateExpressions.Equal: HistoryTranslatable {
    var historyOperand: HistoryOperand? { .comparison(.equal, HistoryOperand(lhs), HistoryOperand(rhs)) }
}

extension PredicateExpressions.NotEqual: HistoryTranslatable {
    var historyOperand: HistoryOperand? { .comparison(.notEqual, HistoryOperand(lhs), HistoryOperand(rhs)) }
}

extension PredicateExpressions.Conjunction: HistoryTranslatable {
    var historyOperand: HistoryOperand? {
        let (left, right) = (HistoryOperand(lhs), HistoryOperand(rhs))
        let isExact = left?.exactTest != nil && right?.exactTest != nil
        return .test(.and([left, right].map { $0?.looseTest ?? .constant(true) }), isExact: isExact)
    }
}

extension PredicateExpressions.Disjunction: HistoryTranslatable {
    var historyOperand: HistoryOperand? {
        guard let left = HistoryOperand(lhs)?.exactTest, let right = HistoryOperand(rhs)?.exactTest else { return nil }
        return .exact(.or([left, right]))
    }
}

extension PredicateExpressions.Negation: HistoryTranslatable {
    var historyOperand: HistoryOperand? {
        HistoryOperand(wrapped)?.exactTest.map { .exact(.not($0)) }
    }
}

extension HistoryOperand {
    /// The comparison of a property of the transaction with a constant, on either side.
    fileprivate static func comparison(
        _ comparison: ComparisonOperator, _ left: HistoryOperand?, _ right: HistoryOperand?
    ) -> HistoryOperand? {
        switch (left, right) {
        case (.field(let field), .constant(let constant)): field.test(comparison, constant).map(exact)
        case (.constant(let constant), .field(let field)): field.test(comparison.mirrored, constant).map(exact)
        default: nil
        }
    }
}
