import Foundation
import ObjectGraph

/// A predicate that the store cannot evaluate as a whole, divided at its connectives.
///
/// 1. Parts that the engine can evaluate follow its rules, wherever they are.
/// 2. Foundation evaluates the others, with the model. A part that throws for a model, as `!` does on nil, is false for it.
/// 3. A part of the second kind that could stop the process for some values is refused before any model is tested.
indirect enum DividedPredicate<M: PersistentModel> {
    case stored(QueryExpression)
    case model(ModelTest<M>)
    case every([DividedPredicate])
    case any([DividedPredicate])
    case not(DividedPredicate)

    /// A condition for the store that every matching model satisfies.
    var narrowing: QueryExpression? {
        switch self {
        case .stored(let expression): return expression
        case .every(let parts):
            let found = parts.compactMap(\.narrowing)
            return found.isEmpty ? nil : .every(found)
        case .model, .any, .not: return nil
        }
    }

    /// - Throws: The errors of reading the store and of the program's own code.
    func holds(for model: M, _ record: Record, _ evaluator: QueryEvaluator<GraphObjects>) throws -> Bool {
        switch self {
        case .stored(let expression): try evaluator.test(expression, root: record)
        case .model(let test): try test.holds(for: model)
        case .every(let parts): try parts.allSatisfy { try $0.holds(for: model, record, evaluator) }
        case .any(let parts): try parts.contains { try $0.holds(for: model, record, evaluator) }
        case .not(let part): try !part.holds(for: model, record, evaluator)
        }
    }
}

/// A part of a predicate that only Foundation can evaluate.
struct ModelTest<M: PersistentModel> {
    let part: any PredicateExpression
    /// The variable that stands for the model in the part.
    let variable: PredicateExpressions.Variable<M>

    func holds(for model: M) throws -> Bool {
        do {
            return try value(of: part, PredicateBindings((variable, model)))
        } catch is PredicateError {
            return false
        }
    }

    private func value<Part: PredicateExpression>(of part: Part, _ bindings: PredicateBindings) throws -> Bool {
        try part.evaluate(bindings) as? Bool ?? false
    }
}

/// The division of one predicate.
struct PredicateDivision<M: PersistentModel> {
    let translation: PredicateTranslation
    let variable: PredicateExpressions.Variable<M>

    /// - Throws: `PredicateTranslationError.mayStop`, or `unknownModel`.
    func parts<Part: PredicateExpression>(of part: Part) throws -> DividedPredicate<M> {
        do {
            return .stored(try translation.test(part))
        } catch let error as PredicateTranslationError where error.canEvaluateInMemory {
            if let connective = part as? any PredicateConnective, let parts = try connective.divided(by: self) {
                return parts
            }
            if let construct = StoppingParts.first(in: part, translation) {
                throw PredicateTranslationError.mayStop(construct: construct)
            }
            return .model(ModelTest(part: part, variable: variable))
        }
    }
}

extension PredicateTranslator {
    /// Divides a predicate for which `translate` throws an error that `canEvaluateInMemory`.
    /// - Throws: `PredicateTranslationError`.
    static func divide<M: PersistentModel>(_ predicate: Predicate<M>, model: Model) throws -> DividedPredicate<M> {
        var translation = PredicateTranslation(model: model)
        try translation.bindRoot(predicate.variable, to: M.self)
        let division = PredicateDivision(translation: translation, variable: predicate.variable)
        return try division.parts(of: predicate.expression)
    }
}

/// A node whose parts are Boolean and can be evaluated separately.
protocol PredicateConnective: PredicateExpression {
    /// `nil` if the node must be evaluated as a whole.
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>?
}

extension PredicateExpressions.Conjunction: PredicateConnective {
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>? {
        .every([try division.parts(of: lhs), try division.parts(of: rhs)])
    }
}

extension PredicateExpressions.Disjunction: PredicateConnective {
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>? {
        .any([try division.parts(of: lhs), try division.parts(of: rhs)])
    }
}

extension PredicateExpressions.Negation: PredicateConnective {
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>? {
        .not(try division.parts(of: wrapped))
    }
}

extension PredicateExpressions.Conditional: PredicateConnective {
    func divided<M>(by division: PredicateDivision<M>) throws -> DividedPredicate<M>? {
        let condition = try division.parts(of: test)
        return .any([
            .every([condition, try division.parts(of: trueBranch)]),
            .every([.not(condition), try division.parts(of: falseBranch)]),
        ])
    }
}
