#if !canImport(Darwin)
import Foundation
import ObjectGraph

// What Foundation's predicate macro expands the localized text functions to. Foundation has these nodes on Apple's
// platforms only; the macro accepts the functions everywhere.

extension PredicateExpressions {
    /// Whether a text occurs in another, without regard to case, accents and width.
    public struct LocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let (text, part) = (try root.evaluate(bindings), try other.evaluate(bindings))
            return TextMatching.test(.containsLocalizedStandard, String(text), String(part))
        }
    }

    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> LocalizedStandardContains<Root, Other> {
        LocalizedStandardContains(root: root, other: other)
    }

    /// The order of two texts without regard to case.
    public struct CaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            ComparisonResult(.caseInsensitive, try root.evaluate(bindings), try other.evaluate(bindings))
        }
    }

    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> CaseInsensitiveCompare<Root, Other> {
        CaseInsensitiveCompare(root: root, other: other)
    }

    /// The order of two texts in the current locale.
    public struct LocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            ComparisonResult(.localized, try root.evaluate(bindings), try other.evaluate(bindings))
        }
    }

    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> LocalizedCompare<Root, Other> {
        LocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.CaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.LocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.LocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.CaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.LocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.LocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.CaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.LocalizedCompare: Codable where Root: Codable, Other: Codable {}

extension ComparisonResult {
    fileprivate init(_ order: TextOrder, _ a: some StringProtocol, _ b: some StringProtocol) {
        self = ComparisonResult(rawValue: TextMatching.order(order, String(a), String(b))) ?? .orderedSame
    }
}
#endif
