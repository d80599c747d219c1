import Foundation
import ObjectGraph
import PredicateFormat

/// Expressions with a condition. They are declared here because predicates consist of expressions, which do not need
/// predicates otherwise.
extension NSExpression {
    /// Creates a subquery: the members of a collection for which the predicate is true. The variable stands for the
    /// member.
    public convenience init(
        forSubquery collection: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(tree: .subquery(collection.tree, variable: variable, predicate.tree))
    }

    /// Creates a conditional expression, whose value depends on the predicate.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(tree: .conditional(predicate.tree, trueExpression.tree, falseExpression.tree))
    }

    /// The condition of a subquery or of a conditional expression.
    public var predicate: NSPredicate {
        switch tree {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): NSPredicate.predicate(predicate)
        default: NSPredicate(value: true)
        }
    }
}
