import Foundation

/// A predicate within a predicate: its own tree, with the inputs in place of its variables.
extension PredicateExpressions.PredicateEvaluate: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        guard let inner = try? translation.value(of: predicate) else {
            throw PredicateTranslationError.needsMemory(
                construct: "PredicateEvaluate", reason: "the predicate depends on the fetched object")
        }
        let bound = try translation.binding(repeat each inner.variable, to: repeat each input)
        return try bound.operand(inner.expression)
    }
}

/// An `#Expression` within a predicate: its own tree, with the inputs in place of its variables.
extension PredicateExpressions.ExpressionEvaluate: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        guard let inner = try? translation.value(of: expression) else {
            throw PredicateTranslationError.needsMemory(
                construct: "ExpressionEvaluate", reason: "the expression depends on the fetched object")
        }
        let bound = try translation.binding(repeat each inner.variable, to: repeat each input)
        return try bound.operand(inner.expression)
    }
}

extension PredicateExpressions.PredicateEvaluate: PredicateConnective {
    /// A predicate evaluated with the model itself is divided like one that is written inline.
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>? {
        var inputs: [any PredicateExpression] = []
        repeat inputs.append(each input)
        guard inputs.count == 1, let variable = inputs.first as? PredicateExpressions.Variable<M>,
            variable.key == division.variable.key,
            let inner = (try? division.translation.value(of: predicate)) as Any? as? Predicate<M>
        else { return nil }
        let model = try division.translation.operand(of: variable.key)
        let bound = division.translation.binding(inner.variable, to: model)
        return try PredicateDivision(translation: bound, variable: inner.variable).parts(of: inner.expression)
    }
}

extension PredicateExpressions.PredicateEvaluate: TreeEvaluation {
    func stoppingPart(in translation: PredicateTranslation) -> String? {
        guard let inner = try? translation.value(of: predicate) else { return "PredicateEvaluate" }
        let bound = translation.bindingKnown(repeat each inner.variable, to: repeat each input)
        return StoppingParts.first(in: inner.expression, bound)
    }
}

extension PredicateExpressions.ExpressionEvaluate: TreeEvaluation {
    func stoppingPart(in translation: PredicateTranslation) -> String? {
        guard let inner = try? translation.value(of: expression) else { return "ExpressionEvaluate" }
        let bound = translation.bindingKnown(repeat each inner.variable, to: repeat each input)
        return StoppingParts.first(in: inner.expression, bound)
    }
}

extension PredicateTranslation {
    fileprivate func binding<each Input: PredicateExpression>(
        _ variable: repeat PredicateExpressions.Variable<(each Input).Output>, to input: repeat each Input
    ) throws -> PredicateTranslation {
        var bound = self
        for (variable, part) in repeat (each variable, each input) {
            bound = bound.binding(variable, to: try operand(part))
        }
        return bound
    }

    /// Binds the variables like `binding(_:to:)`, without inputs that only memory can evaluate.
    fileprivate func bindingKnown<each Input: PredicateExpression>(
        _ variable: repeat PredicateExpressions.Variable<(each Input).Output>, to input: repeat each Input
    ) -> PredicateTranslation {
        var bound = self
        for (variable, part) in repeat (each variable, each input) {
            if let operand = try? operand(part) { bound = bound.binding(variable, to: operand) }
        }
        return bound
    }
}
