import Foundation
import ObjectGraph

extension PredicateExpressions.NilLiteral: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand { .constant(nil) }
}

/// Nil stays nil, where Swift would trap: no row matches a comparison because its value is nil.
extension PredicateExpressions.ForcedUnwrap: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand { try translation.operand(inner) }
}

/// `??`
extension PredicateExpressions.NilCoalesce: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let first = try translation.operand(lhs)
        switch first {
        case .constant(nil): return try translation.operand(rhs)
        case .constant, .collection, .test, .range: return first
        case .object, .leaves: break
        }
        return try coalesce(first, try translation.operand(rhs), translation)
    }

    private func coalesce(
        _ first: PredicateOperand, _ second: PredicateOperand, _ translation: PredicateTranslation
    ) throws -> PredicateOperand {
        if case .leaves(let leaves, let codec) = first, leaves.count == 1, let leaf = leaves.first {
            if let test = try coalescedTest(leaf, second) { return .test(test) }
            let fallback = try translation.leaves(second, as: Output.self, like: codec, in: "NilCoalesce")
            if fallback.count == 1, let other = fallback.first { return .leaves([.coalesce(leaf, other)], codec) }
        }
        return try translation.choice(first.isPresent, first, second, as: Output.self, in: "NilCoalesce")
    }

    /// Translates `$0.owner?.name.contains(x) ?? false` to plain tests without an intermediate value.
    private func coalescedTest(_ first: QueryExpression, _ second: PredicateOperand) throws -> QueryExpression? {
        guard case .constant(let fallback as Bool) = second else { return nil }
        if case .conditional(let condition, let then, .literal(.null)) = first, then.isTest {
            return fallback ? .any([condition.negated, then]) : .every([condition, then])
        }
        return fallback ? nil : .compare(.equal, first, .literal(.integer(1)))
    }
}

/// Optional chaining, `if let` and `flatMap`: the transform, with the unwrapped value in place of its variable.
extension PredicateExpressions.OptionalFlatMap: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let subject = try translation.operand(wrapped)
        if case .constant(nil) = subject { return .constant(nil) }
        let result = try translation.binding(variable, to: subject).operand(transform)
        let sources = subject.nilSources
        if sources.isEmpty { return result }
        switch result {
        case .object(let object, _) where object.isNil(with: sources): return result
        case .collection: return result
        case .leaves(let leaves, _) where leaves.allSatisfy({ $0.isNil(with: sources) }): return result
        default: return try conditional(result, on: subject, translation)
        }
    }

    /// A transform that may have a value for nil (a test, a count) is evaluated only if its subject is present.
    private func conditional(
        _ result: PredicateOperand, on subject: PredicateOperand, _ translation: PredicateTranslation
    ) throws -> PredicateOperand {
        if case .object = result {
            throw PredicateTranslationError.needsMemory(
                construct: "OptionalFlatMap", reason: "an object that does not depend on the optional is not followed")
        }
        let leaves = try translation.leaves(result, as: Result.self, in: "OptionalFlatMap").map {
            QueryExpression.conditional(test: subject.isPresent, then: $0, otherwise: .literal(.null))
        }
        return .leaves(leaves, result.codec)
    }
}
