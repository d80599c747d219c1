import ObjectGraph

/// A function of a translated expression. Databases have it under names of their own, or not at all.
package enum SQLFunction: Sendable, Hashable {
    /// Of two texts.
    case test(TextTest)
    /// Of two texts: -1, 0 or 1.
    case order(TextOrder)
    /// The number of characters of a text, as Swift counts them.
    case textLength
    /// Of two numbers; NULL if the result overflows 64 bits.
    case arithmetic(ArithmeticOperator)
    /// NULL if it has no result.
    case scalar(ScalarFunction)
    /// Of one value over rows; without regard to `AggregateFunction.parts.isDistinct`.
    case aggregate(AggregateFunction, AggregateNumbers)
}

extension Dialect {
    /// The name of a function.
    /// - Throws: `UntranslatableExpression` if the database does not have it.
    package func called(_ function: SQLFunction) throws(UntranslatableExpression) -> String {
        guard let name = name(of: function) else {
            throw UntranslatableExpression("a function that the database does not have")
        }
        return name
    }

    /// The words that sort a value in an order of texts.
    /// - Throws: `UntranslatableExpression` if the database does not have the order.
    package func collated(by order: TextOrder) throws(UntranslatableExpression) -> String {
        guard let name = collation(of: order) else {
            throw UntranslatableExpression("an order of texts that the database does not have")
        }
        return " COLLATE \(name)"
    }
}
