import Foundation
import ObjectGraph
import PredicateFormat

/// Converts the nodes of a `Predicate` to the predicate language.
struct PredicateConversion {
    private var variables: [PredicateExpressions.VariableID: FormatExpression]

    struct Unsupported: Error, CustomStringConvertible {
        let description: String
    }

    init(root: PredicateExpressions.VariableID) { variables = [root: .evaluatedObject] }

    func expression(_ node: any PredicateExpression) throws -> FormatExpression {
        guard let node = node as? any FormatExpressible else { throw Unsupported(description: Self.name(node)) }
        return try node.format(in: self)
    }

    /// Converts a node into a condition. A Boolean value is compared with true.
    func condition(_ node: any PredicateExpression) throws -> FormatPredicate {
        if let node = node as? any FormatCondition { return try node.condition(in: self) }
        let expression = try expression(node)
        if case .constant(.boolean(let truth)) = expression { return .constant(truth) }
        return .comparison(FormatComparison(expression, .equal, .constant(.boolean(true))))
    }

    func binding(_ variable: PredicateExpressions.VariableID, to expression: FormatExpression) -> PredicateConversion {
        var copy = self
        copy.variables[variable] = expression
        return copy
    }

    /// Returns a conversion with a unique variable name for the member of a collection.
    func member(_ variable: PredicateExpressions.VariableID) -> (name: String, inner: PredicateConversion) {
        let name = "member\(variables.count)"
        return (name, binding(variable, to: .variable(name)))
    }

    func value(of variable: PredicateExpressions.VariableID) throws -> FormatExpression {
        guard let value = variables[variable] else { throw Unsupported(description: "a variable of another predicate") }
        return value
    }

    private static func name(_ node: any PredicateExpression) -> String {
        String(describing: type(of: node)).prefix { $0 != "<" }.description
    }
}

/// A node with a value.
protocol FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression
}

/// A node that is a condition.
protocol FormatCondition {
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate
}
