import ObjectGraph

/// A parsed expression of the predicate language, with unresolved names.
package indirect enum FormatExpression: Hashable {
    case constant(FormatConstant)
    /// `SELF`
    case evaluatedObject
    /// `$name`
    case variable(String)
    /// `a.b.@count`, from the evaluated object.
    case keyPath(String)
    /// A key path from the result of an expression: `SELF.name`, `$x.name`, `SUBQUERY(…).@count`.
    case keyPathOf(FormatExpression, String)
    /// `tags[0]`, `tags[FIRST]`
    case element(FormatExpression, FormatIndex)
    case function(FormatFunction, [FormatExpression])
    /// `FUNCTION(target, "selector", arguments)`
    case call(FormatExpression, selector: String, [FormatExpression])
    /// `{a, b, c}`
    case aggregate([FormatExpression])
    case set(FormatSetOperation, FormatExpression, FormatExpression)
    /// `SUBQUERY(collection, $variable, predicate)`
    case subquery(FormatExpression, variable: String, FormatPredicate)
    /// `TERNARY(predicate, then, otherwise)`
    case conditional(FormatPredicate, FormatExpression, FormatExpression)
    /// `CAST(value, "NSDate")`
    case cast(FormatExpression, type: String)
    /// `FETCH(request, context, NO)`: the objects that the request finds in the context, or their number.
    case fetch(FormatExpression, context: FormatExpression, countOnly: Bool)
    /// `$name := value`
    case assignment(String, FormatExpression)
    /// `ANYKEY`
    case anyKey
    case block(FormatExpressionBlock, [FormatExpression])
    /// Text that could not be parsed, or an expression that contains it. It causes an error only when the expression is used.
    case malformed(FormatError, text: String)
}

package enum FormatIndex: Hashable {
    case position(FormatExpression)
    case first, last, size
}

package enum FormatSetOperation: String, Hashable, CaseIterable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
}

/// A closure of the program inside an expression; equal to itself only.
package final class FormatExpressionBlock: Hashable {
    package let evaluate: (_ object: Any?, _ arguments: [Any], _ context: Any?) -> Any?

    package init(_ evaluate: @escaping (Any?, [Any], Any?) -> Any?) { self.evaluate = evaluate }

    package static func == (lhs: FormatExpressionBlock, rhs: FormatExpressionBlock) -> Bool { lhs === rhs }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
