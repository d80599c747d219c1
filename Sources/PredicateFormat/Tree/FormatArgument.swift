import ObjectGraph

/// The value of a placeholder. It is used as it is: text in an argument is never parsed.
package enum FormatArgument: Hashable {
    case constant(FormatConstant)
    case expression(FormatExpression)
    case predicate(FormatPredicate)

    package init(_ value: Any?) {
        self = (value as? any FormatArgumentConvertible)?.formatArgument ?? .constant(FormatConstant(value))
    }
}

/// An expression or predicate of the public API, which can be an argument.
package protocol FormatArgumentConvertible {
    var formatArgument: FormatArgument { get }
}
