import Foundation
import ObjectGraph
import PredicateFormat

extension PredicateExpressions.Value: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression {
        .constant(FormatConstant(FormatEvaluator.unwrapped(value)))
    }
}

extension PredicateExpressions.NilLiteral: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression { .constant(.null) }
}

extension PredicateExpressions.Variable: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression { try conversion.value(of: key) }
}

extension PredicateExpressions.ForcedUnwrap: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression { try conversion.expression(inner) }
}

extension PredicateExpressions.OptionalFlatMap: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression {
        try conversion.binding(variable.key, to: conversion.expression(wrapped)).expression(transform)
    }
}

extension PredicateExpressions.KeyPath: FormatExpressible, FormatCondition {
    func format(in conversion: PredicateConversion) throws -> FormatExpression {
        let subject = try conversion.expression(root)
        let path: AnyKeyPath = keyPath
        if path == \String.count { return .function(.length, [subject]) }
        if kind == .collectionCount { return Self.append("@count", to: subject) }
        guard let name = KeyPathText.text(of: path) else {
            throw PredicateConversion.Unsupported(description: "the key path \(keyPath)")
        }
        return Self.append(name, to: subject)
    }

    /// A test for emptiness becomes a comparison.
    func condition(in conversion: PredicateConversion) throws -> FormatPredicate {
        let subject = try conversion.expression(root)
        let path: AnyKeyPath = keyPath
        if path == \String.isEmpty { return .comparison(FormatComparison(subject, .equal, .constant(.text("")))) }
        if kind == .collectionIsEmpty {
            return .comparison(FormatComparison(Self.append("@count", to: subject), .equal, .constant(.integer(0))))
        }
        return .comparison(FormatComparison(try format(in: conversion), .equal, .constant(.boolean(true))))
    }

    private static func append(_ name: String, to subject: FormatExpression) -> FormatExpression {
        switch subject {
        case .evaluatedObject: .keyPath(name)
        case .keyPath(let path): .keyPath("\(path).\(name)")
        case .keyPathOf(let owner, let path): .keyPathOf(owner, "\(path).\(name)")
        default: .keyPathOf(subject, name)
        }
    }
}

extension PredicateExpressions.NilCoalesce: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression {
        let (left, right) = (try conversion.expression(lhs), try conversion.expression(rhs))
        return .conditional(.comparison(FormatComparison(left, .equal, .constant(.null))), right, left)
    }
}

extension PredicateExpressions.Arithmetic: FormatExpressible {
    func format(in conversion: PredicateConversion) throws -> FormatExpression {
        let function: FormatFunction =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            }
        return .function(function, [try conversion.expression(lhs), try conversion.expression(rhs)])
    }
}
