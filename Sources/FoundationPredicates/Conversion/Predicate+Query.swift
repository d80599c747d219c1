import Foundation
import ObjectGraph
import PredicateFormat

extension NSPredicate {
    /// Translates the predicate for objects of the entity into a `Query` expression.
    /// - Throws: `FormatTranslationError`, which names the construct and the key path.
    package func queryExpression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try PredicateFormat(tree).expression(on: entity, in: model)
    }
}

extension NSExpression {
    /// Translates the expression for objects of the entity into a `Query` expression.
    /// - Throws: `FormatTranslationError`, which names the construct and the key path.
    package func queryExpression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try ExpressionFormat(tree).expression(on: entity, in: model)
    }
}
