import Foundation

#if canImport(Darwin)
extension PredicateExpressions {
    /// What `#Predicate` makes of the subject of `evaluate`.
    public static func _captured<Tree>(_ tree: Tree) -> Value<Tree> { Value(tree) }
}
#else

// Foundation's node for captured values needs values that can be coded. Predicates and expressions can be on Apple's
// systems only, so nodes of their own hold them here.

extension PredicateExpressions {
    /// A captured predicate, for ``PredicateEvaluate``.
    public struct CapturedPredicate<each Input>: StandardPredicateExpression {
        public typealias Output = Predicate<repeat each Input>

        public let predicate: Predicate<repeat each Input>

        public init(_ predicate: Predicate<repeat each Input>) { self.predicate = predicate }

        public func evaluate(_ bindings: PredicateBindings) throws -> Predicate<repeat each Input> { predicate }
    }

    /// What `#Predicate` makes of the subject of `evaluate`.
    public static func _captured<each Input>(
        _ predicate: Predicate<repeat each Input>
    ) -> CapturedPredicate<repeat each Input> {
        CapturedPredicate(predicate)
    }

    /// A captured expression, for `ExpressionEvaluate`.
    public struct CapturedExpression<each Input, Value>: StandardPredicateExpression {
        public typealias Output = Expression<repeat each Input, Value>

        public let expression: Expression<repeat each Input, Value>

        public init(_ expression: Expression<repeat each Input, Value>) { self.expression = expression }

        public func evaluate(_ bindings: PredicateBindings) throws -> Expression<repeat each Input, Value> {
            expression
        }
    }

    /// What `#Predicate` makes of the subject of `evaluate`.
    public static func _captured<each Input, Value>(
        _ expression: Expression<repeat each Input, Value>
    ) -> CapturedExpression<repeat each Input, Value> {
        CapturedExpression(expression)
    }
}

// Every node of a predicate has to conform to `Codable`. Predicates themselves do not here, so nothing codes them.

extension PredicateExpressions.CapturedPredicate: Codable {
    /// - Throws: always, because predicates cannot be coded on this system.
    public func encode(to encoder: any Encoder) throws { throw CodingProblem.encodingError(self, encoder) }

    /// - Throws: always, because predicates cannot be coded on this system.
    public init(from decoder: any Decoder) throws { throw CodingProblem.decodingError(decoder) }
}

extension PredicateExpressions.CapturedExpression: Codable {
    /// - Throws: always, because expressions cannot be coded on this system.
    public func encode(to encoder: any Encoder) throws { throw CodingProblem.encodingError(self, encoder) }

    /// - Throws: always, because expressions cannot be coded on this system.
    public init(from decoder: any Decoder) throws { throw CodingProblem.decodingError(decoder) }
}

private enum CodingProblem {
    private static let problem = "Predicates and expressions cannot be coded on this system."

    static func encodingError(_ value: Any, _ encoder: any Encoder) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem))
    }

    static func decodingError(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
    }
}
#endif
