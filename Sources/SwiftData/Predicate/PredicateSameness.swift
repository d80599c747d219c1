import Foundation

/// Whether two predicates are equal, as far as their structure shows.
///
/// 1. Copies of one predicate are equal: they have the same variable.
/// 2. Others are equal if they have the same structure, with equal key paths and equal captured values. Expressions of one
///    type have one structure, so their parts are compared in order. Variables, which are new in every predicate, are
///    compared by the position of their first occurrence.
/// 3. Captured values that cannot be compared are considered different.
struct PredicateSameness {
    private var left: [PredicateExpressions.VariableID] = []
    private var right: [PredicateExpressions.VariableID] = []

    static func holds<Input>(_ a: Predicate<Input>, _ b: Predicate<Input>) -> Bool {
        if a.variable.key == b.variable.key { return true }
        var comparison = PredicateSameness()
        return comparison.isSame(a.variable, b.variable) && comparison.isSame(a.expression, b.expression)
    }

    private mutating func isSame(_ a: Any, _ b: Any) -> Bool {
        guard type(of: a) == type(of: b) else { return false }
        if let a = a as? PredicateExpressions.VariableID, let b = b as? PredicateExpressions.VariableID {
            return isSame(a, b)
        }
        if a is any PredicateExpression {
            return areSame(Mirror(reflecting: a).children, Mirror(reflecting: b).children)
        }
        if let a = a as? any CapturedTree, let b = b as? any CapturedTree {
            return zip(a.parts, b.parts).allSatisfy { isSame($0, $1) }
        }
        if let a = a as? any Equatable { return Self.isEqual(a, b) }
        let (first, second) = (Mirror(reflecting: a), Mirror(reflecting: b))
        if first.displayStyle == .tuple { return areSame(first.children, second.children) }
        return false
    }

    private mutating func areSame(_ a: Mirror.Children, _ b: Mirror.Children) -> Bool {
        guard a.count == b.count else { return false }
        for (a, b) in zip(a, b) where !isSame(a.value, b.value) { return false }
        return true
    }

    private mutating func isSame(_ a: PredicateExpressions.VariableID, _ b: PredicateExpressions.VariableID) -> Bool {
        let (first, second) = (left.firstIndex(of: a), right.firstIndex(of: b))
        if first == nil, second == nil {
            left.append(a)
            right.append(b)
            return true
        }
        return first == second
    }

    private static func isEqual<Compared: Equatable>(_ a: Compared, _ b: Any) -> Bool { a == b as? Compared }
}

/// A predicate or an expression that is evaluated within another.
private protocol CapturedTree {
    /// The variables and the tree.
    var parts: [Any] { get }
}

extension Predicate: CapturedTree {
    fileprivate var parts: [Any] {
        var parts: [Any] = []
        for variable in repeat each variable { parts.append(variable) }
        return parts + [expression]
    }
}

extension Expression: CapturedTree {
    fileprivate var parts: [Any] {
        var parts: [Any] = []
        for variable in repeat each variable { parts.append(variable) }
        return parts + [expression]
    }
}
