import Foundation

/// A node whose evaluation by Foundation stops the process for some values: integer overflow, division by zero, ranges with
/// their bounds in the wrong order.
protocol StoppingPart: PredicateExpression, QueryTranslatable {
    /// Whether any values of the node's type can do so.
    var canStop: Bool { get }
}

extension StoppingPart {
    var canStop: Bool { true }

    /// A part that does not depend on the fetched object was checked when it was translated.
    fileprivate func mayStop(in translation: PredicateTranslation) -> Bool {
        guard canStop else { return false }
        if case .constant? = try? translation.operand(self) { return false }
        return true
    }
}

extension PredicateExpressions.Arithmetic: StoppingPart {
    var canStop: Bool { Output.self is any BinaryInteger.Type }
}

extension PredicateExpressions.UnaryMinus: StoppingPart {
    var canStop: Bool { Output.self is any BinaryInteger.Type }
}

extension PredicateExpressions.IntDivision: StoppingPart {}
extension PredicateExpressions.IntRemainder: StoppingPart {}
extension PredicateExpressions.Range: StoppingPart {}
extension PredicateExpressions.ClosedRange: StoppingPart {}

/// A node that evaluates a captured tree.
protocol TreeEvaluation: PredicateExpression {
    /// The name of a node of the captured tree that may stop the process; the node's own name if the tree is not known.
    func stoppingPart(in translation: PredicateTranslation) -> String?
}

enum StoppingParts {
    /// The name of a node in the tree of `part` that may stop the process; `nil` if there is none.
    static func first<Part: PredicateExpression>(in part: Part, _ translation: PredicateTranslation) -> String? {
        if let node = part as? any StoppingPart, node.mayStop(in: translation) { return Construct.name(of: Part.self) }
        if let node = part as? any TreeEvaluation, let found = node.stoppingPart(in: translation) { return found }
        return first(among: Mirror(reflecting: part), translation)
    }

    /// The inputs of a captured tree are a tuple if there are several.
    private static func first(among parts: Mirror, _ translation: PredicateTranslation) -> String? {
        for child in parts.children {
            if let part = child.value as? any PredicateExpression {
                if let found = first(in: part, translation) { return found }
            } else if case let inputs = Mirror(reflecting: child.value), inputs.displayStyle == .tuple {
                if let found = first(among: inputs, translation) { return found }
            }
        }
        return nil
    }
}
