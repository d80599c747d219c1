import ObjectGraph

/// The order of `UInt` and `UInt64`, which are stored by their bits: the upper half of them as negative numbers.
enum UnsignedOrder {
    static func applies(to type: any Any.Type) -> Bool { type == UInt.self || type == UInt64.self }

    /// False for nil.
    static func isInUpperHalf(_ value: QueryExpression) -> QueryExpression {
        .compare(.less, value, .literal(.integer(0)))
    }

    private static func isInLowerHalf(_ value: QueryExpression) -> QueryExpression {
        .compare(.greaterOrEqual, value, .literal(.integer(0)))
    }

    /// Within a half, the signed order is the unsigned one.
    static func compare(
        _ comparison: ObjectGraph.ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        let inOneHalf = QueryExpression.compare(comparison, left, right)
        let (lower, upper) =
            switch comparison {
            case .greater, .greaterOrEqual: (right, left)
            default: (left, right)
            }
        return .any([
            .every([half(lower, .lower), half(upper, .upper)]),
            .every([half(left, .lower), half(right, .lower), inOneHalf]),
            .every([half(left, .upper), half(right, .upper), inOneHalf]),
        ])
    }

    private enum Half { case lower, upper }

    /// A known value needs no test.
    private static func half(_ value: QueryExpression, _ half: Half) -> QueryExpression {
        if case .literal(.integer(let number)) = value { return .constant((number < 0) == (half == .upper)) }
        return half == .lower ? isInLowerHalf(value) : isInUpperHalf(value)
    }
}
