import Foundation
import ObjectGraph

extension NSPredicate {
    /// The condition of a `#Predicate`, for a fetch request.
    ///
    /// - Returns: `nil` for one that cannot be said in the predicate language, such as a call of a function or a key path that
    ///   names no property; the log says which part.
    public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        do {
            let translation = FormatTranslation(root: predicate.variable.key)
            self.init(made: try translation.condition(predicate.expression))
        } catch {
            MalformedFormats.report("A #Predicate of \(Input.self) has no format: \(error)")
            return nil
        }
    }
}

extension NSSortDescriptor {
    /// The order of a sort descriptor of Swift's. Texts sort by their bytes, as those of `SortDescriptor` do here. A store can
    /// sort by it if the property's name can be found out.
    public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let isAscending = sortDescriptor.order == .forward
        guard let keyPath = sortDescriptor.keyPath else {
            // The objects themselves, by the program's comparator.
            var order = sortDescriptor
            order.order = .forward
            self.init(
                key: nil, ascending: isAscending,
                comparator: { [order] left, right in
                    guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
                    return order.compare(left, right)
                })
            return
        }
        self.init(
            KeyedSortDescriptor(
                key: KeyPathText.text(of: keyPath), ascending: isAscending, selector: "compare:",
                ordering: .keyPath({ ($0 as? Compared)?[keyPath: keyPath] }, nil)))
    }
}

/// What nodes of a `Predicate` come to in the predicate language.
struct FormatTranslation {
    private var variables: [PredicateExpressions.VariableID: FormatExpression]

    struct Unsupported: Error, CustomStringConvertible {
        let description: String
    }

    init(root: PredicateExpressions.VariableID) { variables = [root: .evaluatedObject] }

    func expression(_ node: any PredicateExpression) throws -> FormatExpression {
        guard let node = node as? any FormatExpressible else { throw Unsupported(description: Self.name(node)) }
        return try node.format(in: self)
    }

    /// A value that is true or false by itself is compared with true.
    func condition(_ node: any PredicateExpression) throws -> FormatPredicate {
        if let node = node as? any FormatCondition { return try node.condition(in: self) }
        let expression = try expression(node)
        if case .constant(.boolean(let truth)) = expression { return .constant(truth) }
        return .comparison(FormatComparison(expression, .equal, .constant(.boolean(true))))
    }

    func binding(_ variable: PredicateExpressions.VariableID, to expression: FormatExpression) -> FormatTranslation {
        var copy = self
        copy.variables[variable] = expression
        return copy
    }

    /// With a name of its own for the member of a collection.
    func member(_ variable: PredicateExpressions.VariableID) -> (name: String, inner: FormatTranslation) {
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

/// A node that gives a value.
private protocol FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression
}

/// A node that is a condition.
private protocol FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate
}

// MARK: - Values

extension PredicateExpressions.Value: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression {
        .constant(FormatConstant(FormatEvaluator.unwrapped(value)))
    }
}

extension PredicateExpressions.NilLiteral: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression { .constant(.null) }
}

extension PredicateExpressions.Variable: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression { try translation.value(of: key) }
}

extension PredicateExpressions.ForcedUnwrap: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression { try translation.expression(inner) }
}

extension PredicateExpressions.OptionalFlatMap: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression {
        try translation.binding(variable.key, to: translation.expression(wrapped)).expression(transform)
    }
}

extension PredicateExpressions.KeyPath: FormatExpressible, FormatCondition {
    func format(in translation: FormatTranslation) throws -> FormatExpression {
        let subject = try translation.expression(root)
        let path: AnyKeyPath = keyPath
        if path == \String.count { return .function(.length, [subject]) }
        if kind == .collectionCount { return Self.append("@count", to: subject) }
        guard let name = KeyPathText.text(of: path) else {
            throw FormatTranslation.Unsupported(description: "the key path \(keyPath)")
        }
        return Self.append(name, to: subject)
    }

    /// Emptiness is a comparison.
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        let subject = try translation.expression(root)
        let path: AnyKeyPath = keyPath
        if path == \String.isEmpty { return .comparison(FormatComparison(subject, .equal, .constant(.text("")))) }
        if kind == .collectionIsEmpty {
            return .comparison(FormatComparison(Self.append("@count", to: subject), .equal, .constant(.integer(0))))
        }
        return .comparison(FormatComparison(try format(in: translation), .equal, .constant(.boolean(true))))
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
    func format(in translation: FormatTranslation) throws -> FormatExpression {
        let (left, right) = (try translation.expression(lhs), try translation.expression(rhs))
        return .conditional(.comparison(FormatComparison(left, .equal, .constant(.null))), right, left)
    }
}

extension PredicateExpressions.Arithmetic: FormatExpressible {
    func format(in translation: FormatTranslation) throws -> FormatExpression {
        let function: FormatFunction =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            }
        return .function(function, [try translation.expression(lhs), try translation.expression(rhs)])
    }
}

// MARK: - Conditions

extension PredicateExpressions.Equal: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .comparison(FormatComparison(try translation.expression(lhs), .equal, try translation.expression(rhs)))
    }
}

extension PredicateExpressions.NotEqual: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .comparison(FormatComparison(try translation.expression(lhs), .notEqual, try translation.expression(rhs)))
    }
}

extension PredicateExpressions.Comparison: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        let comparison: FormatOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return .comparison(
            FormatComparison(try translation.expression(lhs), comparison, try translation.expression(rhs)))
    }
}

extension PredicateExpressions.Conjunction: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .and([try translation.condition(lhs), try translation.condition(rhs)])
    }
}

extension PredicateExpressions.Disjunction: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .or([try translation.condition(lhs), try translation.condition(rhs)])
    }
}

extension PredicateExpressions.Negation: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .not(try translation.condition(wrapped))
    }
}

extension PredicateExpressions.SequenceContains: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        .comparison(FormatComparison(try translation.expression(element), .isIn, try translation.expression(sequence)))
    }
}

extension PredicateExpressions.SequenceContainsWhere: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        let (name, inner) = translation.member(variable.key)
        let members = FormatExpression.subquery(
            try translation.expression(sequence), variable: name, try inner.condition(test))
        return .comparison(FormatComparison(.keyPathOf(members, "@count"), .greater, .constant(.integer(0))))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        let (name, inner) = translation.member(variable.key)
        let others = FormatExpression.subquery(
            try translation.expression(sequence), variable: name, .not(try inner.condition(test)))
        return .comparison(FormatComparison(.keyPathOf(others, "@count"), .equal, .constant(.integer(0))))
    }
}

extension PredicateExpressions.CollectionContainsCollection: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw FormatTranslation.Unsupported(description: "a part of a collection that is no text")
        }
        return .comparison(
            FormatComparison(try translation.expression(base), .contains, try translation.expression(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: FormatCondition {
    func condition(in translation: FormatTranslation) throws -> FormatPredicate {
        guard Base.Output.self is any StringProtocol.Type else {
            throw FormatTranslation.Unsupported(description: "the beginning of a collection that is no text")
        }
        return .comparison(
            FormatComparison(try translation.expression(base), .beginsWith, try translation.expression(prefix)))
    }
}
