import Foundation
import ObjectGraph
import PredicateFormat

extension NSPredicate {
    /// What the predicate means for objects of the entity, for a `Query`.
    /// - Throws: `FormatTranslationError`, which names the construct and the key path.
    package func queryExpression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try PredicateFormat(tree).expression(on: entity, in: model)
    }
}

extension NSExpression {
    /// The value for objects of the entity, for a `Query`.
    /// - Throws: `FormatTranslationError`, which names the construct and the key path.
    package func queryExpression(on entity: Entity, in model: Model) throws(FormatTranslationError) -> QueryExpression {
        try ExpressionFormat(tree).expression(on: entity, in: model)
    }
}
