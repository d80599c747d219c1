import ObjectGraph

/// What takes a placeholder's place. It is taken as it is: text in an argument is never read as part of the language.
package enum FormatArgument: Hashable {
    case constant(FormatConstant)
    case expression(FormatExpression)
    case predicate(FormatPredicate)

    package init(_ value: Any?) {
        self = (value as? any FormatArgumentConvertible)?.formatArgument ?? .constant(FormatConstant(value))
    }
}

/// A face's expression or predicate, which may be an argument too.
package protocol FormatArgumentConvertible {
    var formatArgument: FormatArgument { get }
}
