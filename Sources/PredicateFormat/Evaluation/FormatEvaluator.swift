import Foundation
import ObjectGraph

/// Evaluates predicates and expressions over plain objects: dictionaries, objects that return their values by name
/// (`KeyValueReadable`), and any Swift value by its stored properties.
///
/// Values compare as in a query (`ValueOrder`, `TextMatching`). Evaluation never fails: an undefined value is nil, and an
/// invalid test is false.
package struct FormatEvaluator {
    private let variables: [String: Any]
    /// Passed to closures.
    private let context: Any?

    package init(variables: [String: Any] = [:], context: Any? = nil) {
        self.variables = variables
        self.context = context
    }

    package func test(_ predicate: FormatPredicate, of object: Any?) -> Bool {
        test(predicate, Scope(object: FormatConstant(object), variables: variables.mapValues { FormatConstant($0) }))
    }

    /// Returns the value as a Swift type; `nil` for nil.
    package func value(_ expression: FormatExpression, of object: Any?) -> Any? {
        constant(expression, of: object).programValue
    }

    package func constant(_ expression: FormatExpression, of object: Any?) -> FormatConstant {
        value(
            expression,
            Scope(object: FormatConstant(object), variables: variables.mapValues { FormatConstant($0) }))
    }

    /// The values of names.
    struct Scope {
        let object: FormatConstant
        var variables: [String: FormatConstant]

        func binding(_ name: String, to value: FormatConstant) -> Scope {
            var copy = self
            copy.variables[name] = value
            return copy
        }
    }

    // MARK: Predicates

    func test(_ predicate: FormatPredicate, _ scope: Scope) -> Bool {
        switch predicate {
        case .constant(let truth): truth
        case .comparison(let comparison): test(comparison, scope)
        case .not(let inner): !test(inner, scope)
        case .and(let parts): parts.allSatisfy { test($0, scope) }
        case .or(let parts): parts.contains { test($0, scope) }
        case .block(let block):
            block.evaluate(scope.object.programValue, scope.variables.compactMapValues(\.programValue))
        case .malformed: false
        }
    }

    private func test(_ comparison: FormatComparison, _ scope: Scope) -> Bool {
        let right = value(comparison.right, scope)
        let left = value(comparison.left, scope)
        let test = FormatTest(comparison)
        switch comparison.modifier {
        case .direct: return test.passes(left, right)
        case .any: return left.members?.contains { test.passes($0, right) } ?? false
        case .all: return left.members?.allSatisfy { test.passes($0, right) } ?? false
        }
    }

    // MARK: Expressions

    func value(_ expression: FormatExpression, _ scope: Scope) -> FormatConstant {
        switch expression {
        case .constant(let constant): return constant
        case .evaluatedObject, .anyKey: return scope.object
        case .variable(let name): return scope.variables[name] ?? .null
        case .keyPath(let path): return scope.object.value(at: path)
        case .keyPathOf(let base, let path): return value(base, scope).value(at: path)
        case .element(let base, let index): return element(of: value(base, scope), index, scope)
        case .function(let function, let arguments): return function.apply(arguments.map { value($0, scope) })
        case .call(let target, let selector, let arguments): return call(target, selector, arguments, scope)
        case .fetch(let request, let context, let countOnly):
            return fetched(value(request, scope), value(context, scope), countOnly: countOnly)
        case .aggregate(let parts): return .list(parts.map { value($0, scope) })
        case .set(let operation, let left, let right):
            return .list(operation.apply(value(left, scope).members ?? [], value(right, scope).members ?? []))
        case .subquery(let collection, let variable, let predicate):
            let members = value(collection, scope).members ?? []
            return .list(members.filter { test(predicate, scope.binding(variable, to: $0)) })
        case .conditional(let test, let then, let otherwise):
            return value(self.test(test, scope) ? then : otherwise, scope)
        case .cast(let inner, let type): return FormatCast.apply(value(inner, scope), to: type) ?? .null
        case .assignment(_, let inner): return value(inner, scope)
        case .block(let block, let arguments):
            let values = arguments.map { value($0, scope).programValue ?? NSNull() }
            return FormatConstant(block.evaluate(scope.object.programValue, values, context))
        case .malformed: return .null
        }
    }

    private func call(
        _ target: FormatExpression, _ selector: String, _ arguments: [FormatExpression], _ scope: Scope
    ) -> FormatConstant {
        if let meaning = FormatCall.meaning(target, selector, arguments) { return value(meaning, scope) }
        guard case .object(let object) = value(target, scope), let owner = object.base as? any FormatCallable else {
            return .null
        }
        return FormatConstant(owner.call(selector, arguments.map { value($0, scope).programValue }))
    }

    private func fetched(_ request: FormatConstant, _ context: FormatConstant, countOnly: Bool) -> FormatConstant {
        guard case .object(let request) = request, case .object(let context) = context,
            let request = request.base as? any FormatFetchable
        else { return .null }
        return FormatConstant(request.fetched(from: context.base, countOnly: countOnly))
    }

    private func element(of base: FormatConstant, _ index: FormatIndex, _ scope: Scope) -> FormatConstant {
        switch index {
        case .position(let position):
            switch (base, value(position, scope)) {
            case (.list(let members), .integer(let index)):
                return Int(exactly: index).flatMap { members.indices.contains($0) ? members[$0] : nil } ?? .null
            case (_, .text(let key)): return base.value(at: key)
            default: return .null
            }
        case .first: return base.members?.first ?? .null
        case .last: return base.members?.last ?? .null
        case .size: return base.members.map { .integer(Int64($0.count)) } ?? .null
        }
    }
}

extension FormatEvaluator {
    /// Returns the order of two values, nil first.
    package static func order(_ a: Any, _ b: Any, texts order: TextOrder) -> ComparisonResult {
        let (left, right) = (FormatConstant(a).storedValue ?? .null, FormatConstant(b).storedValue ?? .null)
        let result = ValueOrder.compare(left, right, texts: order)
        return result < 0 ? .orderedAscending : result > 0 ? .orderedDescending : .orderedSame
    }

    /// Returns `nil` for an optional without a value, whatever its wrapping.
    package static func unwrapped(_ value: Any) -> Any? { FormatConstant(value).programValue }
}

extension FormatConstant {
    /// The members of a collection; none for nil, `nil` for a value that is not a collection.
    var members: [FormatConstant]? {
        switch self {
        case .list(let members): members
        case .null: []
        default: nil
        }
    }
}

extension FormatSetOperation {
    /// Returns each member once, in the order of first appearance; nil is in no set.
    func apply(_ left: [FormatConstant], _ right: [FormatConstant]) -> [FormatConstant] {
        let others = Set(right.map(\.setKey))
        let chosen: [FormatConstant] =
            switch self {
            case .union: left + right
            case .intersect: left.filter { others.contains($0.setKey) }
            case .minus: left.filter { !others.contains($0.setKey) }
            }
        return chosen.distinct.filter { !$0.isNull }
    }
}

extension FormatConstant {
    /// The key that distinguishes constants in sets: where possible, that of stored values.
    enum SetKey: Hashable {
        case value(ValueKey)
        case other(FormatConstant)
    }

    var setKey: SetKey { storedValue.map { .value(ValueKey($0)) } ?? .other(self) }
}

extension [FormatConstant] {
    /// Each member once, in the order of first appearance.
    var distinct: [FormatConstant] {
        var seen: Set<FormatConstant.SetKey> = []
        return filter { seen.insert($0.setKey).inserted }
    }
}
