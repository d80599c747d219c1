import Foundation

#if canImport(Darwin)
extension PredicateExpressions {
    /// Wraps the predicate or expression whose `evaluate` is called in a predicate. Used by the expansion of `#Predicate`.
    /// - Parameter tree: The captured predicate or expression.
    public static func _captured<Tree>(_ tree: Tree) -> Value<Tree> { Value(tree) }
}
#else

// Foundation's node for captured values requires `Codable` values. Predicates and expressions are `Codable` on Apple's
// systems only, so they have nodes of their own here.

extension PredicateExpressions {
    /// A captured predicate, the subject of ``PredicateEvaluate``.
    public struct CapturedPredicate<each Input>: StandardPredicateExpression {
        /// The type of the node's value.
        public typealias Output = Predicate<repeat each Input>

        /// The captured predicate.
        public let predicate: Predicate<repeat each Input>

        /// Creates the node of a captured predicate.
        /// - Parameter predicate: The captured predicate.
        public init(_ predicate: Predicate<repeat each Input>) { self.predicate = predicate }

        /// Returns the captured predicate.
        /// - Parameter bindings: Not used.
        public func evaluate(_ bindings: PredicateBindings) throws -> Predicate<repeat each Input> { predicate }
    }

    /// Wraps the predicate whose `evaluate` is called in another predicate. Used by the expansion of `#Predicate`.
    /// - Parameter predicate: The captured predicate.
    public static func _captured<each Input>(
        _ predicate: Predicate<repeat each Input>
    ) -> CapturedPredicate<repeat each Input> {
        CapturedPredicate(predicate)
    }

    /// A captured expression, the subject of `ExpressionEvaluate`.
    public struct CapturedExpression<each Input, Value>: StandardPredicateExpression {
        /// The type of the node's value.
        public typealias Output = Expression<repeat each Input, Value>

        /// The captured expression.
        public let expression: Expression<repeat each Input, Value>

        /// Creates the node of a captured expression.
        /// - Parameter expression: The captured expression.
        public init(_ expression: Expression<repeat each Input, Value>) { self.expression = expression }

        /// Returns the captured expression.
        /// - Parameter bindings: Not used.
        public func evaluate(_ bindings: PredicateBindings) throws -> Expression<repeat each Input, Value> {
            expression
        }
    }

    /// Wraps the expression whose `evaluate` is called in a predicate. Used by the expansion of `#Predicate`.
    /// - Parameter expression: The captured expression.
    public static func _captured<each Input, Value>(
        _ expression: Expression<repeat each Input, Value>
    ) -> CapturedExpression<repeat each Input, Value> {
        CapturedExpression(expression)
    }
}

// Every node of a predicate must conform to `Codable`. Predicates themselves do not on this system, so no code encodes them.

extension PredicateExpressions.CapturedPredicate: Codable {
    /// Throws an error, because predicates cannot be encoded on this system.
    /// - Parameter encoder: Not written to.
    /// - Throws: `EncodingError.invalidValue`, always.
    public func encode(to encoder: any Encoder) throws { throw CodingProblem.encodingError(self, encoder) }

    /// Throws an error, because predicates cannot be decoded on this system.
    /// - Parameter decoder: Not read.
    /// - Throws: `DecodingError.dataCorrupted`, always.
    public init(from decoder: any Decoder) throws { throw CodingProblem.decodingError(decoder) }
}

extension PredicateExpressions.CapturedExpression: Codable {
    /// Throws an error, because expressions cannot be encoded on this system.
    /// - Parameter encoder: Not written to.
    /// - Throws: `EncodingError.invalidValue`, always.
    public func encode(to encoder: any Encoder) throws { throw CodingProblem.encodingError(self, encoder) }

    /// Throws an error, because expressions cannot be decoded on this system.
    /// - Parameter decoder: Not read.
    /// - Throws: `DecodingError.dataCorrupted`, always.
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
