import Foundation

/// An `#Expression` within a predicate: its own tree, with the inputs in its variables' places.
extension PredicateExpressions.ExpressionEvaluate: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        guard case .constant(let constant) = try translation.operand(expression),
            let inner = constant as? Expression<repeat (each Input).Output, Output>
        else {
            throw PredicateTranslationError.needsMemory(
                construct: "ExpressionEvaluate", reason: "the expression depends on the fetched object")
        }
        var bound = translation
        for (variable, part) in repeat (each inner.variable, each input) {
            bound = bound.binding(variable, to: try translation.operand(part))
        }
        return try bound.operand(inner.expression)
    }
}
