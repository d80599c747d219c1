import Foundation
import ObjectGraph

/// Translates the key paths of an aggregate descriptor into a query of groups.
struct AggregateTranslator {
    private let translation: PredicateTranslation
    private let type: ModelType
    private(set) var keys: [PredicateOperand] = []
    private(set) var columns: [AggregateColumn] = []
    private var results: [GroupQuery.Result] = []

    /// - Throws: `SwiftDataError.unsupportedKeyPath` for a key path that is not a stored value.
    init(_ keyPaths: [AnyKeyPath], _ terms: [AggregateTerm], _ type: ModelType, _ model: Model) throws {
        translation = PredicateTranslation(model: model)
        self.type = type
        keys = try keyPaths.map(key)
        for term in terms { try add(term) }
    }

    /// Returns the query of these rows' groups. Groups are in the order of their keys.
    /// - Throws: `SwiftDataError.unsupportedKeyPath` for a key path of the condition that is not a stored value.
    mutating func query<M>(_ rows: Query, having: GroupPredicate<M>?) throws -> GroupQuery {
        let condition = try having.map { try self.condition($0.condition) }
        let keys = try self.keys.flatMap(Self.expressions)
        var rows = rows
        rows.sort = keys.map { SortKey($0) }
        return GroupQuery(rows, by: keys, results: results, having: condition)
    }

    // MARK: Key paths

    private func operand(_ keyPath: AnyKeyPath) throws -> PredicateOperand {
        do {
            return try translation.property(at: keyPath, of: .variable(.root), type)
        } catch let error as PredicateTranslationError {
            throw SwiftDataError.unsupportedKeyPath.explained(error.description)
        }
    }

    private func key(_ keyPath: AnyKeyPath) throws -> PredicateOperand {
        let operand = try operand(keyPath)
        if operand.codec?.isOpaque ?? false {
            throw Self.unsupported(keyPath, "it is stored as an archive, whose bytes may differ for equal values")
        }
        switch operand {
        case .leaves, .object: return operand
        case .constant, .test, .collection, .range: throw Self.unsupported(keyPath, "it is not a value of one model")
        }
    }

    private static func expressions(of operand: PredicateOperand) -> [QueryExpression] {
        switch operand {
        case .leaves(let leaves, _): leaves
        case .object(let object, _): [object]
        case .constant, .test, .collection, .range: []
        }
    }

    // MARK: Aggregates

    /// - Returns: The position of the result.
    @discardableResult
    private mutating func add(_ term: AggregateTerm) throws -> Int {
        let operand = try operand(term.keyPath)
        let expressions = Self.expressions(of: operand)
        guard expressions.count == 1, let expression = expressions.first else {
            throw Self.unsupported(term.keyPath, "it is not a single value")
        }
        if term.function.parts.function != .count { try checkNumber(operand.codec, term) }
        columns.append(AggregateColumn(term: term, codec: operand.codec))
        results.append(GroupQuery.Result(term.function, of: expression, with: term.numbers))
        return results.count - 1
    }

    private func checkNumber(_ codec: (any AttributeCodec)?, _ term: AggregateTerm) throws {
        guard let type = codec?.unwrapped.valueType, type is any ScalarValue.Type else {
            throw Self.unsupported(term.keyPath, "the program defines the order of its values, not the store")
        }
        if UnsignedOrder.applies(to: type) {
            throw Self.unsupported(term.keyPath, "\(type) is stored by its bits, as a signed number")
        }
    }

    private mutating func condition<M>(_ condition: GroupPredicate<M>.Condition) throws -> GroupCondition {
        switch condition {
        case .compare(let comparison, let term, let constant, let type):
            let index = try add(term)
            let value = PredicateConstant.value(
                of: constant, as: type, like: term.function.isCalculated ? nil : columns[index].comparedCodec)
            guard let value else { throw Self.unsupported(term.keyPath, "it is compared with a \(type)") }
            return .compare(comparison, result: index, value)
        case .and(let left, let right): return .and([try self.condition(left), try self.condition(right)])
        case .or(let left, let right): return .or([try self.condition(left), try self.condition(right)])
        case .not(let inner): return .not(try self.condition(inner))
        }
    }

    private static func unsupported(_ keyPath: AnyKeyPath, _ reason: String) -> SwiftDataError {
        .unsupportedKeyPath.explained("\(keyPath) cannot be grouped or aggregated: \(reason).")
    }
}
