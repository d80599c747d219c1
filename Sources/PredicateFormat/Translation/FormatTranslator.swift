import Foundation
import ObjectGraph

/// Translates predicates and expressions of the format language for an entity: names become attributes and relationships,
/// constants are converted to the types they are compared with.
///
/// 1. Nothing is guessed: an unknown name, a constant of an incompatible type, or a to-many key path where a single value
///    is expected cause errors that name them.
/// 2. Parts that do not depend on the object are calculated immediately; `now()` is the same time in the whole predicate.
/// 3. Nil follows the engine's expression tree: equal to nil only, unequal to everything else, never less or greater.
struct FormatTranslator {
    static let depthLimit = FormatPredicate.depthLimit

    let model: Model
    let entity: Entity
    private var variables: [String: FormatOperand] = [:]
    private let shared = Shared()

    /// The common state of all parts of one translation.
    private final class Shared {
        let now = Date().timeIntervalSinceReferenceDate
        var lastVariable = QueryVariable.root.number
        var depth = 0
    }

    init(model: Model, entity: Entity) {
        self.model = model
        self.entity = entity
    }

    var now: FormatConstant { .date(shared.now) }

    func newVariable() -> QueryVariable {
        shared.lastVariable += 1
        return QueryVariable(shared.lastVariable)
    }

    func binding(_ name: String, to operand: FormatOperand) -> FormatTranslator {
        var copy = self
        copy.variables[name] = operand
        return copy
    }

    func variable(_ name: String) throws(FormatTranslationError) -> FormatOperand {
        guard let operand = variables[name] else { throw .unboundVariable(name) }
        return operand
    }

    /// Counts a level while `body` runs: a tree built by a program may be deeper than one parsed from text.
    private func nested<Result>(
        _ body: () throws(FormatTranslationError) -> Result
    ) throws(FormatTranslationError) -> Result {
        shared.depth += 1
        defer { shared.depth -= 1 }
        if shared.depth > Self.depthLimit { throw .tooDeep(limit: Self.depthLimit) }
        return try body()
    }

    // MARK: Predicates

    func test(_ predicate: FormatPredicate) throws(FormatTranslationError) -> QueryExpression {
        try nested { () throws(FormatTranslationError) in
            switch predicate {
            case .constant(let truth): return .constant(truth)
            case .comparison(let comparison): return try self.comparison(comparison)
            case .not(let inner): return .not(try test(inner))
            case .and(let parts): return .and(try tests(parts))
            case .or(let parts): return .or(try tests(parts))
            case .block:
                throw .unsupported(construct: "a predicate with a block", reason: "it is code of the program")
            case .malformed(let error, _): throw .malformed(error)
            }
        }
    }

    private func tests(_ parts: [FormatPredicate]) throws(FormatTranslationError) -> [QueryExpression] {
        var tests: [QueryExpression] = []
        tests.reserveCapacity(parts.count)
        for part in parts { tests.append(try test(part)) }
        return tests
    }

    // MARK: Expressions

    func operand(_ expression: FormatExpression) throws(FormatTranslationError) -> FormatOperand {
        try nested { () throws(FormatTranslationError) in
            switch expression {
            case .constant(let constant): return .constant(constant)
            case .evaluatedObject: return root
            case .variable(let name): return try variable(name)
            case .keyPath(let path): return try value(at: path, of: root)
            case .keyPathOf(let base, let path): return try value(at: path, of: try operand(base))
            case .element(let base, let index): return try element(of: base, index)
            case .function(let function, let arguments): return try call(function, operands(arguments), expression)
            case .call(let target, let selector, let arguments):
                guard let meaning = FormatCall.meaning(target, selector, arguments) else {
                    throw .unsupported(construct: "the method '\(selector)'", reason: "there are no methods by name")
                }
                return try operand(meaning)
            case .fetch: throw .unsupported(construct: "FETCH", reason: "it is evaluated over objects in memory")
            case .aggregate(let parts): return list(try operands(parts))
            case .set(let operation, let left, let right): return try set(operation, left, right)
            case .subquery(let collection, let variable, let predicate):
                return try subquery(collection, variable, predicate)
            case .conditional(let test, let then, let otherwise): return try conditional(test, then, otherwise)
            case .cast(let inner, let type): return try cast(inner, type)
            case .assignment(_, let inner): return try operand(inner)
            case .anyKey: throw .unsupported(construct: "ANYKEY", reason: "it names no property")
            case .block:
                throw .unsupported(construct: "an expression with a block", reason: "it is code of the program")
            case .malformed(let error, _): throw .malformed(error)
            }
        }
    }

    var root: FormatOperand { .object(.variable(.root), entityIndex: entity.index) }

    func operands(_ parts: [FormatExpression]) throws(FormatTranslationError) -> [FormatOperand] {
        var operands: [FormatOperand] = []
        operands.reserveCapacity(parts.count)
        for part in parts { operands.append(try operand(part)) }
        return operands
    }

    private func list(_ parts: [FormatOperand]) -> FormatOperand {
        let constants = parts.compactMap(\.constant)
        return constants.count == parts.count ? .constant(.list(constants)) : .list(parts)
    }

    // MARK: Values

    /// Returns the expression as a single value.
    func scalar(_ expression: FormatExpression) throws(FormatTranslationError) -> QueryExpression {
        try scalar(try operand(expression), expression)
    }

    /// - Parameter source: The expression, for messages.
    func scalar(
        _ operand: FormatOperand, _ source: FormatExpression
    ) throws(FormatTranslationError) -> QueryExpression {
        switch operand {
        case .value(let value, _): return value
        case .object(let object, _): return .identity(object)
        case .constant(let constant):
            guard let value = constant.storedValue else {
                throw .unsupported(construct: constant.kindName, reason: "one value is wanted")
            }
            return .literal(value)
        case .collection: throw .toManyNotAllowed(keyPath: source.description)
        case .list: throw .unsupported(construct: "a list", reason: "one value is wanted")
        case .composite(let composite):
            throw .unsupported(
                construct: "the composite '\(composite.path)'", reason: "name one of its elements instead")
        case .entity, .entityName:
            throw .unsupported(construct: "'\(source)'", reason: "an entity can be compared with constants only")
        }
    }

    /// Returns the value to sort by.
    func sortValue(_ keyPath: String) throws(FormatTranslationError) -> QueryExpression {
        let operand = try value(at: keyPath, of: root)
        if operand.type == .opaque {
            throw .unsupported(construct: "an order by '\(keyPath)'", reason: "its values have no order")
        }
        return try scalar(operand, .keyPath(keyPath))
    }
}
