#if !canImport(Darwin)
import Foundation
import ObjectGraph

// The nodes that predicate macros expand the localized text functions to. Foundation has them, under these names, on Apple's
// platforms only. If it gets them on this system, `@_disfavoredOverload` gives its functions precedence; its nodes then need
// `QueryTranslatable`, and these can be removed.

extension PredicateExpressions {
    /// A node that tests whether a text occurs in another, regardless of case, diacritics and width.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the node's value.
        public typealias Output = Bool

        /// The text to search in.
        public let root: Root
        /// The text to search for.
        public let other: Other

        /// Creates the node.
        /// - Parameters:
        ///   - root: The text to search in.
        ///   - other: The text to search for.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns whether the text occurs in the other.
        /// - Parameter bindings: The values of the variables.
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let (text, part) = (try root.evaluate(bindings), try other.evaluate(bindings))
            return TextMatching.test(.containsLocalizedStandard, String(text), String(part))
        }
    }

    /// Makes the node of `localizedStandardContains`. Used by the expansion of `#Predicate`.
    /// - Parameters:
    ///   - root: The text to search in.
    ///   - other: The text to search for.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// A node that compares two texts regardless of case.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the node's value.
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Creates the node.
        /// - Parameters:
        ///   - root: The first text.
        ///   - other: The second text.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the order of the two texts regardless of case.
        /// - Parameter bindings: The values of the variables.
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            ComparisonResult(.caseInsensitive, try root.evaluate(bindings), try other.evaluate(bindings))
        }
    }

    /// Makes the node of `caseInsensitiveCompare`. Used by the expansion of `#Predicate`.
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    @_disfavoredOverload
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// A node that compares two texts in the order of the current locale.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the node's value.
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Creates the node.
        /// - Parameters:
        ///   - root: The first text.
        ///   - other: The second text.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the order of the two texts in the current locale.
        /// - Parameter bindings: The values of the variables.
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            ComparisonResult(.localized, try root.evaluate(bindings), try other.evaluate(bindings))
        }
    }

    /// Makes the node of `localizedCompare`. Used by the expansion of `#Predicate`.
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    @_disfavoredOverload
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}

extension ComparisonResult {
    fileprivate init(_ order: TextOrder, _ a: some StringProtocol, _ b: some StringProtocol) {
        self = ComparisonResult(rawValue: TextMatching.order(order, String(a), String(b))) ?? .orderedSame
    }
}
#endif
