#if !canImport(Darwin)
import Foundation

extension PredicateExpressions {
    /// A node that evaluates a predicate within another: `inner.evaluate($0.owner!)`. Foundation has it on Apple's systems
    /// only.
    public struct PredicateEvaluate<Condition: PredicateExpression, each Input: PredicateExpression>:
        PredicateExpression
    where Condition.Output == Predicate<repeat (each Input).Output> {
        /// The type of the node's value.
        public typealias Output = Bool

        /// The node of the evaluated predicate.
        public let predicate: Condition
        /// The nodes of its inputs.
        public let input: (repeat each Input)

        /// Creates the node.
        /// - Parameters:
        ///   - predicate: The node of the evaluated predicate.
        ///   - input: The nodes of its inputs.
        public init(predicate: Condition, input: repeat each Input) {
            self.predicate = predicate
            self.input = (repeat each input)
        }

        /// Returns the value of the predicate for its inputs.
        /// - Parameter bindings: The values of the variables.
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(bindings).evaluate(repeat (each input).evaluate(bindings))
        }
    }

    /// Makes the node of `evaluate`. Used by the expansion of `#Predicate`.
    /// - Parameters:
    ///   - predicate: The node of the evaluated predicate.
    ///   - input: The nodes of its inputs.
    @_disfavoredOverload
    public static func build_evaluate<Condition: PredicateExpression, each Input: PredicateExpression>(
        _ predicate: Condition, _ input: repeat each Input
    ) -> PredicateEvaluate<Condition, repeat each Input>
    where Condition.Output == Predicate<repeat (each Input).Output> {
        PredicateEvaluate(predicate: predicate, input: repeat each input)
    }
}

extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
where Condition: StandardPredicateExpression, repeat each Input: StandardPredicateExpression {}

extension PredicateExpressions.PredicateEvaluate: Sendable where Condition: Sendable, repeat each Input: Sendable {}

extension PredicateExpressions.PredicateEvaluate: Codable where Condition: Codable, repeat each Input: Codable {
    /// Encodes the parts of the node.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The errors of the encoder and the parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(predicate)
        repeat try container.encode(each input)
    }

    /// Decodes the parts of the node.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: The errors of the decoder and the parts.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        predicate = try container.decode(Condition.self)
        input = (repeat try container.decode((each Input).self))
    }
}
#endif
