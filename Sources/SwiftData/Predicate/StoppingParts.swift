import Foundation

/// A node that stops the process for some values when Foundation evaluates it: integers that overflow or are divided by
/// zero, ranges whose ends are the wrong way round.
protocol StoppingPart: PredicateExpression, QueryTranslatable {
    /// Whether values of the node's type can do so at all.
    var canStop: Bool { get }
}

extension StoppingPart {
    var canStop: Bool { true }

    /// A part that does not depend on the fetched object has been looked at while it was translated.
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
/// What it evaluates is a tree of its own.
extension PredicateExpressions.ExpressionEvaluate: StoppingPart {}

enum StoppingParts {
    /// The name of a node that may stop the process, in the tree below and including `part`; `nil` where there is none.
    static func first<Part: PredicateExpression>(in part: Part, _ translation: PredicateTranslation) -> String? {
        if let node = part as? any StoppingPart, node.mayStop(in: translation) { return Construct.name(of: Part.self) }
        for child in Mirror(reflecting: part).children {
            guard let child = child.value as? any PredicateExpression else { continue }
            if let found = first(in: child, translation) { return found }
        }
        return nil
    }
}
