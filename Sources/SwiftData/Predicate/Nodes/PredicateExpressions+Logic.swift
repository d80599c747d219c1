import Foundation
import ObjectGraph

extension PredicateExpressions.Conjunction: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        .test(.every([try translation.test(lhs), try translation.test(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        .test(.any([try translation.test(lhs), try translation.test(rhs)]))
    }
}

extension PredicateExpressions.Negation: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        .test(try translation.test(wrapped).negated)
    }
}

/// `if`/`else` and the ternary operator.
extension PredicateExpressions.Conditional: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let condition = try translation.test(test)
        if case .constant(let isTrue) = condition {
            return isTrue ? try translation.operand(trueBranch) : try translation.operand(falseBranch)
        }
        return try translation.choice(
            condition, try translation.operand(trueBranch), try translation.operand(falseBranch), as: Output.self,
            in: "Conditional")
    }
}

extension PredicateTranslation {
    /// The one operand if the condition is true, the other if it is not.
    func choice(
        _ condition: QueryExpression, _ then: PredicateOperand, _ otherwise: PredicateOperand, as type: any Any.Type,
        in construct: String
    ) throws -> PredicateOperand {
        if type == Bool.self {
            return .test(Self.choice(condition, try then.test(in: construct), try otherwise.test(in: construct)))
        }
        if case .object = then { throw Self.choiceOfObjects(construct) }
        if case .object = otherwise { throw Self.choiceOfObjects(construct) }
        let codec = then.codec ?? otherwise.codec
        let left = try leaves(then, as: type, like: codec, in: construct)
        let right = try leaves(otherwise, as: type, like: codec, in: construct)
        guard left.count == right.count else {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "the two values are stored in different ways")
        }
        let leaves = zip(left, right).map {
            QueryExpression.conditional(test: condition, then: $0, otherwise: $1)
        }
        return .leaves(leaves, codec)
    }

    private static func choice(
        _ condition: QueryExpression, _ then: QueryExpression, _ otherwise: QueryExpression
    ) -> QueryExpression {
        switch (then, otherwise) {
        case (.constant(true), .constant(false)): condition
        case (.constant(false), .constant(true)): condition.negated
        case (_, .constant(false)): .every([condition, then])
        case (.constant(false), _): .every([condition.negated, otherwise])
        case (_, .constant(true)): .any([condition.negated, then])
        case (.constant(true), _): .any([condition, otherwise])
        default: .conditional(test: condition, then: then, otherwise: otherwise)
        }
    }

    private static func choiceOfObjects(_ construct: String) -> PredicateTranslationError {
        .needsMemory(construct: construct, reason: "a choice between two objects cannot be followed")
    }
}
