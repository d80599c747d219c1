import ObjectGraph

/// Searches trees.
extension FormatPredicate {
    /// The direct parts of the predicate.
    private var parts: (expressions: [FormatExpression], predicates: [FormatPredicate]) {
        switch self {
        case .constant, .block, .malformed: ([], [])
        case .comparison(let comparison): ([comparison.left, comparison.right], [])
        case .not(let inner): ([], [inner])
        case .and(let inner), .or(let inner): ([], inner)
        }
    }

    /// The error of the first part that could not be parsed. It makes the whole predicate invalid.
    package var malformation: FormatError? { malformation(within: Self.depthLimit) }

    /// - Parameter levels: The maximum depth of the search; deeper trees are refused when they are used.
    fileprivate func malformation(within levels: Int) -> FormatError? {
        if case .malformed(let error, _) = self { return error }
        return levels > 0 ? firstMalformation(in: parts, within: levels - 1) : nil
    }

    /// Calls `body` for every expression, including nested ones.
    package func forEachExpression(_ body: (FormatExpression) throws -> Void) rethrows {
        let parts = parts
        for expression in parts.expressions { try expression.forEachExpression(body) }
        for predicate in parts.predicates { try predicate.forEachExpression(body) }
    }
}

extension FormatExpression {
    /// The direct parts of the expression.
    private var parts: (expressions: [FormatExpression], predicates: [FormatPredicate]) {
        switch self {
        case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .malformed: ([], [])
        case .keyPathOf(let base, _), .cast(let base, _), .assignment(_, let base): ([base], [])
        case .element(let base, .position(let position)): ([base, position], [])
        case .element(let base, _): ([base], [])
        case .function(_, let parts), .aggregate(let parts), .block(_, let parts): (parts, [])
        case .call(let target, _, let arguments): ([target] + arguments, [])
        case .fetch(let request, let context, _): ([request, context], [])
        case .set(_, let left, let right): ([left, right], [])
        case .subquery(let collection, _, let predicate): ([collection], [predicate])
        case .conditional(let test, let then, let otherwise): ([then, otherwise], [test])
        }
    }

    package var malformation: FormatError? { malformation(within: FormatPredicate.depthLimit) }

    fileprivate func malformation(within levels: Int) -> FormatError? {
        if case .malformed(let error, _) = self { return error }
        return levels > 0 ? firstMalformation(in: parts, within: levels - 1) : nil
    }

    package func forEachExpression(_ body: (FormatExpression) throws -> Void) rethrows {
        try body(self)
        let parts = parts
        for expression in parts.expressions { try expression.forEachExpression(body) }
        for predicate in parts.predicates { try predicate.forEachExpression(body) }
    }
}

private func firstMalformation(
    in parts: (expressions: [FormatExpression], predicates: [FormatPredicate]), within levels: Int
) -> FormatError? {
    for expression in parts.expressions {
        if let found = expression.malformation(within: levels) { return found }
    }
    for predicate in parts.predicates {
        if let found = predicate.malformation(within: levels) { return found }
    }
    return nil
}

extension FormatArgument {
    var malformation: FormatError? {
        switch self {
        case .constant: nil
        case .expression(let expression): expression.malformation
        case .predicate(let predicate): predicate.malformation
        }
    }
}
