import Foundation
import ObjectGraph
import PredicateFormat

/// A predicate that compares the values of two expressions.
///
/// Foundation's class of this name cannot be used. `CoreData` exports this class under the same name, which hides
/// Foundation's in files that import both modules.
nonisolated open class NSComparisonPredicate: Foundation.NSPredicate {
    private let comparisonTree: FormatPredicate

    init(tree: FormatPredicate) {
        comparisonTree = tree
        super.init(value: false)
    }

    /// The relation between both sides of a comparison.
    public enum Operator: UInt, Sendable {
        case lessThan = 0
        case lessThanOrEqualTo = 1
        case greaterThan = 2
        case greaterThanOrEqualTo = 3
        case equalTo = 4
        case notEqualTo = 5
        /// Matches the whole text with a regular expression.
        case matches = 6
        /// Matches the whole text with a pattern that may contain `?` and `*`.
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case `in` = 10
        /// Compares with a method. Not supported, as methods cannot be called by name on this platform.
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

    /// Options for comparing texts.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let caseInsensitive = Options(rawValue: 1)
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// Compares the bytes of texts, which have been normalized already.
        public static let normalized = Options(rawValue: 4)
    }

    /// Creates a comparison of two expressions.
    ///
    /// `.customSelector`, and expressions whose format is malformed, cannot be evaluated: the predicate is false for
    /// every object, and a fetch request with it throws.
    public convenience init(
        leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) {
        guard let comparison = FormatOperator(rawValue: type.rawValue),
            let quantifier = FormatModifier(rawValue: modifier.rawValue)
        else {
            let error = FormatError(.unsupported("a comparison by a method"), at: 0)
            self.init(tree: .malformed(error, text: "FALSEPREDICATE"))
            return
        }
        let made = FormatPredicate.comparison(
            FormatComparison(
                leftExpression.tree, comparison, rightExpression.tree, modifier: quantifier,
                options: FormatOptions(rawValue: options.rawValue)))
        self.init(tree: made.malformation.map { .malformed($0, text: "FALSEPREDICATE") } ?? made)
    }

    private var comparison: FormatComparison? {
        if case .comparison(let comparison) = comparisonTree { comparison } else { nil }
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

    // MARK: Evaluation

    open override var predicateFormat: String { comparisonTree.description }

    open override var description: String { comparisonTree.description }

    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        FormatEvaluator(variables: bindings ?? [:]).test(comparisonTree, of: object)
    }

    // MARK: Copying, equality, archives

    open override func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? Foundation.NSPredicate)?.tree == comparisonTree
    }

    open override var hash: Int { comparisonTree.hashValue }

    open class var supportsSecureCoding: Bool { true }

    /// Creates a predicate from its archived format.
    public required init?(coder: NSCoder) {
        guard let tree = FormatArchive.predicate(from: coder) else { return nil }
        comparisonTree = tree
        super.init(value: false)
    }

    /// Archives the predicate's format. Throws if the predicate contains a closure.
    open func encode(with coder: NSCoder) { FormatArchive.encode(comparisonTree, to: coder) }
}

extension NSComparisonPredicate: TreeBacked {
    var backingTree: FormatPredicate { comparisonTree }
}
