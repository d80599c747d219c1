import Foundation
import ObjectGraph

/// Translates Foundation's `Predicate` and `Expression` to the engine's expression tree.
///
/// Each node of Foundation's tree translates itself (`QueryTranslatable`). A part without variables is evaluated at once
/// and becomes a constant, so anything may be computed from captured values. A part for which the tree has no case is
/// refused with an error that names it.
enum PredicateTranslator {
    /// - Throws: `PredicateTranslationError`; if it `canEvaluateInMemory`, `predicate.evaluate` gives the result.
    static func translate<M: PersistentModel>(_ predicate: Predicate<M>, model: Model) throws -> QueryExpression {
        var translation = PredicateTranslation(model: model)
        try translation.bindRoot(predicate.variable, to: M.self)
        return try translation.test(predicate.expression)
    }

    /// The value of an expression for each fetched object.
    /// - Throws: `PredicateTranslationError`; also if the value has more than one column.
    static func translate<M: PersistentModel, Output>(
        _ expression: Expression<M, Output>, model: Model
    ) throws -> QueryExpression {
        var translation = PredicateTranslation(model: model)
        try translation.bindRoot(expression.variable, to: M.self)
        return try translation.scalar(expression.expression)
    }
}

/// A node of Foundation's tree that translates itself to the engine's.
protocol QueryTranslatable: PredicateExpression {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand
}
