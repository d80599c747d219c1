import Foundation
import ObjectGraph

/// A predicate that compares what two expressions give.
open class NSComparisonPredicate: NSPredicate {
    /// What the left side must have to do with the right one.
    public enum Operator: UInt, Sendable {
        case lessThan = 0
        case lessThanOrEqualTo = 1
        case greaterThan = 2
        case greaterThanOrEqualTo = 3
        case equalTo = 4
        case notEqualTo = 5
        /// The whole text matches a regular expression.
        case matches = 6
        /// The whole text matches a pattern with `?` and `*`.
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case `in` = 10
        /// Comparing by a method; not available here, because there are no methods by name.
        case customSelector = 11
        case contains = 99
        case between = 100
    }

    /// Whether the left side is compared as a whole or member by member.
    public enum Modifier: UInt, Sendable {
        case direct = 0
        case all = 1
        case any = 2
    }

    /// How texts are compared.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let caseInsensitive = Options(rawValue: 1)
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// The texts are prepared already: their bytes are compared.
        public static let normalized = Options(rawValue: 4)
    }

    /// A comparison of two expressions.
    ///
    /// `.customSelector` cannot be evaluated: the predicate holds for no object, and a fetch request with it throws.
    public convenience init(
        leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) {
        guard let comparison = FormatOperator(rawValue: type.rawValue),
            let quantifier = FormatModifier(rawValue: modifier.rawValue)
        else {
            self.init(tree: .malformed(FormatError(.unsupported("a comparison by a method"), at: 0), text: "FALSEPREDICATE"))
            return
        }
        self.init(
            tree: .comparison(
                FormatComparison(
                    leftExpression.tree, comparison, rightExpression.tree, modifier: quantifier,
                    options: FormatOptions(rawValue: options.rawValue))))
    }

    private var comparison: FormatComparison? {
        if case .comparison(let comparison) = tree { comparison } else { nil }
    }

    open var predicateOperatorType: Operator {
        comparison.flatMap { Operator(rawValue: $0.comparison.rawValue) } ?? .customSelector
    }

    open var comparisonPredicateModifier: Modifier {
        comparison.flatMap { Modifier(rawValue: $0.modifier.rawValue) } ?? .direct
    }

    open var leftExpression: NSExpression { NSExpression(tree: comparison?.left ?? .constant(.null)) }

    open var rightExpression: NSExpression { NSExpression(tree: comparison?.right ?? .constant(.null)) }

    open var options: Options { Options(rawValue: comparison?.options.rawValue ?? 0) }

    package override init(tree: FormatPredicate) { super.init(tree: tree) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
