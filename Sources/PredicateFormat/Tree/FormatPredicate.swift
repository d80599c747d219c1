import ObjectGraph

/// A parsed predicate of the predicate language, with unresolved names.
package indirect enum FormatPredicate: Hashable {
    case constant(Bool)
    case comparison(FormatComparison)
    case not(FormatPredicate)
    case and([FormatPredicate])
    case or([FormatPredicate])
    case block(FormatPredicateBlock)
    /// Text that could not be parsed. It causes an error only when the predicate is used.
    case malformed(FormatError, text: String)
}

extension FormatPredicate {
    /// The maximum depth of predicates that are built by calls, because every walk over a tree takes a stack frame per level.
    package static let depthLimit = 160
}

/// `ANY tags.name ==[c] "x"`
package struct FormatComparison: Hashable {
    package var left: FormatExpression
    package var right: FormatExpression
    package var modifier: FormatModifier
    package var comparison: FormatOperator
    package var options: FormatOptions

    package init(
        _ left: FormatExpression, _ comparison: FormatOperator, _ right: FormatExpression,
        modifier: FormatModifier = .direct, options: FormatOptions = []
    ) {
        self.left = left
        self.right = right
        self.modifier = modifier
        self.comparison = comparison
        self.options = options
    }
}

/// The operators with the raw values of `NSComparisonPredicate`; the type tests have none there.
package enum FormatOperator: UInt, Hashable, CaseIterable {
    case less = 0
    case lessOrEqual = 1
    case greater = 2
    case greaterOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case isIn = 10
    case contains = 99
    case between = 100
    case conformsToType = 1000
    case equalsType = 1001
}

/// The modifiers with the raw values of `NSComparisonPredicate`. `SOME` is `any`, and `NONE` is `NOT ANY`.
package enum FormatModifier: UInt, Hashable, CaseIterable {
    case direct = 0
    case all = 1
    case any = 2
}

/// How texts compare, written in brackets after an operator.
package struct FormatOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// `c`
    package static let caseInsensitive = FormatOptions(rawValue: 1)
    /// `d`
    package static let diacriticInsensitive = FormatOptions(rawValue: 2)
    /// `n`: the texts are already normalized; compares their bytes and ignores other options.
    package static let normalized = FormatOptions(rawValue: 4)
    /// `l`
    package static let localeSensitive = FormatOptions(rawValue: 8)
}

/// A closure of the program as a condition; equal to itself only.
package final class FormatPredicateBlock: Hashable {
    package let evaluate: (_ object: Any?, _ variables: [String: Any]?) -> Bool

    package init(_ evaluate: @escaping (Any?, [String: Any]?) -> Bool) { self.evaluate = evaluate }

    package static func == (lhs: FormatPredicateBlock, rhs: FormatPredicateBlock) -> Bool { lhs === rhs }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
