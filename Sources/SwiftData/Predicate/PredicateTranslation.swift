import Foundation
import ObjectGraph

/// The state of a translation: the model, and the operand of each variable.
struct PredicateTranslation {
    let model: Model
    private var variables: [PredicateExpressions.VariableID: PredicateOperand] = [:]
    /// Values of variables that stand for constants, for parts that are evaluated at once.
    private var bindings = PredicateBindings()
    private let numbers = VariableNumbers()

    /// Numbers of the engine's variables, unique within one expression.
    private final class VariableNumbers {
        private var last = QueryVariable.root.number

        func next() -> QueryVariable {
            last += 1
            return QueryVariable(last)
        }
    }

    init(model: Model) { self.model = model }

    // MARK: Variables

    mutating func bindRoot<M: PersistentModel>(_ variable: PredicateExpressions.Variable<M>, to type: M.Type) throws {
        let type = ModelType.of(type)
        _ = try entity(of: type)
        variables[variable.key] = .object(.variable(.root), type)
    }

    func binding<T>(
        _ variable: PredicateExpressions.Variable<T>, to operand: PredicateOperand
    ) -> PredicateTranslation {
        var copy = self
        copy.variables[variable.key] = operand
        if case .constant(let constant) = operand, let value = constant as? T {
            copy.bindings = bindings.binding(variable, to: value)
        }
        return copy
    }

    func newVariable() -> QueryVariable { numbers.next() }

    func operand(of key: PredicateExpressions.VariableID) throws -> PredicateOperand {
        guard let operand = variables[key] else {
            throw PredicateTranslationError.needsMemory(
                construct: "variable", reason: "it belongs to another predicate")
        }
        return operand
    }

    // MARK: Parts

    func operand<Part: PredicateExpression>(_ part: Part) throws -> PredicateOperand {
        if let node = part as? any QueryTranslatable { return try node.operand(in: self) }
        if let constant = try? constant(part) { return constant }
        throw PredicateTranslationError.needsMemory(
            construct: Construct.name(of: Part.self), reason: "this construct is not known")
    }

    /// The value of a part that does not depend on the fetched object.
    func constant<Part: PredicateExpression>(_ part: Part) throws -> PredicateOperand {
        .constant(PredicateConstant.flattened(try part.evaluate(bindings)))
    }

    /// The value of a part that does not depend on the fetched object, not as an operand.
    func value<Part: PredicateExpression>(of part: Part) throws -> Part.Output { try part.evaluate(bindings) }

    func test<Part: PredicateExpression>(_ part: Part) throws -> QueryExpression {
        try operand(part).test(in: Construct.name(of: Part.self))
    }

    /// The part as a value with one column.
    func scalar<Part: PredicateExpression>(_ part: Part) throws -> QueryExpression {
        let leaves = try leaves(operand(part), as: Part.Output.self, in: Construct.name(of: Part.self))
        guard leaves.count == 1, let leaf = leaves.first else {
            throw PredicateTranslationError.needsMemory(
                construct: Construct.name(of: Part.self), reason: "a value of several columns has no order")
        }
        return leaf
    }

    /// The columns of an operand; a constant is encoded by the codec or, without one, as its type is stored.
    func leaves(
        _ operand: PredicateOperand, as type: any Any.Type, like codec: (any AttributeCodec)? = nil,
        in construct: String
    ) throws -> [QueryExpression] {
        switch operand {
        case .leaves(let leaves, _): return leaves
        case .test(let test): return [test]
        case .object(let object, _): return [.identity(object)]
        case .constant(let constant):
            guard let values = PredicateConstant.values(of: constant, as: type, like: codec) else {
                throw PredicateTranslationError.needsMemory(
                    construct: construct, reason: "a captured \(type) cannot be stored in columns")
            }
            return values.map { .literal($0) }
        case .collection, .range:
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "a collection has no value of its own")
        }
    }

    // MARK: Model

    func entity(of type: ModelType) throws -> Entity {
        guard let entity = model.entity(named: type.entityName) else {
            throw PredicateTranslationError.unknownModel(type.entityName)
        }
        return entity
    }
}

/// The names of Foundation's nodes for messages: `SequenceContains` rather than the type with all its arguments.
enum Construct {
    static func name(of type: any Any.Type) -> String {
        let text = String(describing: type)
        return String(text.prefix { $0 != "<" })
    }
}
