import ObjectGraph

/// Walks and rebuilds trees.
extension FormatPredicate {
    /// Returns the predicate with values in place of variables. Keeps the variables that subqueries declare.
    package func substituting(_ values: [String: FormatArgument]) -> FormatPredicate {
        switch self {
        case .constant, .block, .malformed: return self
        case .comparison(var comparison):
            comparison.left = comparison.left.substituting(values)
            comparison.right = comparison.right.substituting(values)
            return .comparison(comparison)
        case .not(let inner): return .not(inner.substituting(values))
        case .and(let parts): return .and(parts.map { $0.substituting(values) })
        case .or(let parts): return .or(parts.map { $0.substituting(values) })
        }
    }

    /// Whether a part cannot be written as text: a closure, or an object of the program.
    package var hasCode: Bool {
        switch self {
        case .constant: false
        case .block, .malformed: true
        case .comparison(let comparison): comparison.left.hasCode || comparison.right.hasCode
        case .not(let inner): inner.hasCode
        case .and(let parts), .or(let parts): parts.contains(where: \.hasCode)
        }
    }
}

extension FormatExpression {
    /// Returns the expression with values in place of variables. Keeps the variables that subqueries declare.
    package func substituting(_ values: [String: FormatArgument]) -> FormatExpression {
        switch self {
        case .constant, .evaluatedObject, .keyPath, .anyKey, .malformed: self
        case .variable(let name): values[name]?.expression ?? self
        case .keyPathOf(let base, let path): .keyPathOf(base.substituting(values), path)
        case .element(let base, .position(let position)):
            .element(base.substituting(values), .position(position.substituting(values)))
        case .element(let base, let index): .element(base.substituting(values), index)
        case .function(let function, let arguments):
            .function(function, arguments.map { $0.substituting(values) })
        case .call(let target, let selector, let arguments):
            .call(target.substituting(values), selector: selector, arguments.map { $0.substituting(values) })
        case .fetch(let request, let context, let countOnly):
            .fetch(request.substituting(values), context: context.substituting(values), countOnly: countOnly)
        case .aggregate(let parts): .aggregate(parts.map { $0.substituting(values) })
        case .set(let operation, let left, let right):
            .set(operation, left.substituting(values), right.substituting(values))
        case .subquery(let collection, let variable, let predicate):
            .subquery(
                collection.substituting(values), variable: variable,
                predicate.substituting(values.filter { $0.key != variable }))
        case .conditional(let test, let then, let otherwise):
            .conditional(test.substituting(values), then.substituting(values), otherwise.substituting(values))
        case .cast(let value, let type): .cast(value.substituting(values), type: type)
        case .assignment(let name, let value): .assignment(name, value.substituting(values))
        case .block(let block, let arguments): .block(block, arguments.map { $0.substituting(values) })
        }
    }

    /// Whether a part cannot be written as text: a closure, or an object of the program.
    package var hasCode: Bool {
        switch self {
        case .constant(let constant): constant.hasCode
        case .evaluatedObject, .variable, .keyPath, .anyKey: false
        case .keyPathOf(let base, _), .cast(let base, _), .assignment(_, let base): base.hasCode
        case .element(let base, .position(let position)): base.hasCode || position.hasCode
        case .element(let base, _): base.hasCode
        case .function(_, let arguments), .aggregate(let arguments): arguments.contains(where: \.hasCode)
        case .call(let target, _, let arguments): target.hasCode || arguments.contains(where: \.hasCode)
        case .set(_, let left, let right), .fetch(let left, let right, _): left.hasCode || right.hasCode
        case .subquery(let collection, _, let predicate): collection.hasCode || predicate.hasCode
        case .conditional(let test, let then, let otherwise): test.hasCode || then.hasCode || otherwise.hasCode
        case .block, .malformed: true
        }
    }
}

extension FormatConstant {
    fileprivate var hasCode: Bool {
        switch self {
        case .object: objectID == nil
        case .list(let members): members.contains(where: \.hasCode)
        default: false
        }
    }
}

extension FormatArgument {
    /// The expression that replaces a variable; `nil` for a predicate, which cannot.
    fileprivate var expression: FormatExpression? {
        switch self {
        case .constant(let constant): .constant(constant)
        case .expression(let expression): expression
        case .predicate: nil
        }
    }
}
