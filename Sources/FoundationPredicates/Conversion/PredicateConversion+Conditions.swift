import Foundation
import ObjectGraph
import PredicateFormat

extension PredicateExpressions.Equal: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .comparison(FormatComparison(try conversion.expression(lhs), .equal, try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.NotEqual: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .comparison(FormatComparison(try conversion.expression(lhs), .notEqual, try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.Comparison: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        let comparison: FormatOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return .comparison(
            FormatComparison(try conversion.expression(lhs), comparison, try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.Conjunction: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .and([try conversion.condition(lhs), try conversion.condition(rhs)])
    }
}

extension PredicateExpressions.Disjunction: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .or([try conversion.condition(lhs), try conversion.condition(rhs)])
    }
}

extension PredicateExpressions.Negation: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .not(try conversion.condition(wrapped))
    }
}

extension PredicateExpressions.SequenceContains: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        .comparison(FormatComparison(try conversion.expression(element), .isIn, try conversion.expression(sequence)))
    }
}

extension PredicateExpressions.SequenceContainsWhere: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        let (name, inner) = conversion.member(variable.key)
        let members = FormatExpression.subquery(
            try conversion.expression(sequence), variable: name, try inner.condition(test))
        return .comparison(FormatComparison(.keyPathOf(members, "@count"), .greater, .constant(.integer(0))))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        let (name, inner) = conversion.member(variable.key)
        let others = FormatExpression.subquery(
            try conversion.expression(sequence), variable: name, .not(try inner.condition(test)))
        return .comparison(FormatComparison(.keyPathOf(others, "@count"), .equal, .constant(.integer(0))))
    }
}

extension PredicateExpressions.CollectionContainsCollection: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw PredicateConversion.Unsupported(description: "a part of a collection that is no text")
        }
        return .comparison(
            FormatComparison(try conversion.expression(base), .contains, try conversion.expression(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw PredicateConversion.Unsupported(description: "the beginning of a collection that is no text")
        }
        return .comparison(
            FormatComparison(try conversion.expression(base), .beginsWith, try conversion.expression(prefix)))
    }
}
