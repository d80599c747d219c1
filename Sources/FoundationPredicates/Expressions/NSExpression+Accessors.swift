import Foundation
import ObjectGraph
import PredicateFormat

extension NSExpression {
    public var expressionType: ExpressionType {
        switch tree {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable, .assignment: .variable
        case .keyPath, .keyPathOf: .keyPath
        case .element, .function, .call, .cast: .function
        case .aggregate: .aggregate
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .subquery: .subquery
        case .conditional: .conditional
        case .anyKey: .anyKey
        case .block, .fetch, .malformed: .block
        }
    }

    /// The value of a constant.
    public var constantValue: Any? {
        if case .constant(let constant) = tree { constant.programValue } else { nil }
    }

    /// The key path, without the operand it is applied to.
    public var keyPath: String {
        switch tree {
        case .keyPath(let path), .keyPathOf(_, let path): path
        default: ""
        }
    }

    /// The name of a function, including its colons.
    public var function: String {
        switch tree {
        case .function(let function, _): function.rawValue
        case .call(_, let selector, _): selector
        case .element: FormatFunction.elementAt.rawValue
        case .cast: "castObject:toType:"
        default: ""
        }
    }

    /// The name of a variable, without `$`; for a subquery, the variable that stands for a member.
    public var variable: String {
        switch tree {
        case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): name
        default: ""
        }
    }

    /// The target of a method call, or the operand that a key path is applied to.
    public var operand: NSExpression {
        switch tree {
        case .call(let target, _, _), .keyPathOf(let target, _): NSExpression(tree: target)
        default: NSExpression.expressionForEvaluatedObject()
        }
    }

    /// The arguments of a function or of a block; `nil` for other expressions.
    public var arguments: [NSExpression]? {
        switch tree {
        case .function(_, let arguments), .call(_, _, let arguments), .block(_, let arguments):
            arguments.map(NSExpression.init(tree:))
        case .cast(let value, let type): [NSExpression(tree: value), NSExpression(forConstantValue: type)]
        case .element(let collection, let index):
            [NSExpression(tree: collection), NSExpression(tree: index.expression)]
        default: nil
        }
    }

    /// The expressions of a list, or the collection of a subquery.
    public var collection: Any {
        switch tree {
        case .aggregate(let parts): parts.map(NSExpression.init(tree:))
        case .subquery(let collection, _, _): NSExpression(tree: collection)
        default: [NSExpression]()
        }
    }

    /// The left side of a set operation.
    public var left: NSExpression {
        if case .set(_, let left, _) = tree { NSExpression(tree: left) } else { self }
    }

    /// The right side of a set operation.
    public var right: NSExpression {
        if case .set(_, _, let right) = tree { NSExpression(tree: right) } else { self }
    }

    /// The value if the condition is true.
    public var `true`: NSExpression {
        if case .conditional(_, let then, _) = tree { NSExpression(tree: then) } else { self }
    }

    /// The value if the condition is false.
    public var `false`: NSExpression {
        if case .conditional(_, _, let otherwise) = tree { NSExpression(tree: otherwise) } else { self }
    }

    /// The closure of a block expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any? {
        guard case .block(let block, _) = tree else { return { _, _, _ in nil } }
        return { block.evaluate($0, $1, $2) }
    }
}

extension FormatIndex {
    fileprivate var expression: FormatExpression {
        switch self {
        case .position(let position): position
        case .first: .constant(.text("FIRST"))
        case .last: .constant(.text("LAST"))
        case .size: .constant(.text("SIZE"))
        }
    }
}
