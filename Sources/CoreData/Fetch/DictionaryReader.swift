import Foundation
import ObjectGraph

/// Values of columns, and how dictionaries show them.
struct DictionaryReader {
    private let evaluator: QueryEvaluator<GraphObjects>
    private let core: CoordinatorCore

    init(graph: Graph, core: CoordinatorCore) {
        evaluator = QueryEvaluator(GraphObjects(graph: graph, model: core.model))
        self.core = core
    }

    /// One value, or those of a composite's leaves.
    /// - Parameter records: one row, or the rows of a group, whose first one speaks for all.
    func values(_ column: DictionaryColumn, of records: [Record]) throws -> [Value] {
        switch column.kind {
        case .attribute(let place):
            let slots = place.attribute.slots
            return records.first.map { Array($0.values(slots)) } ?? slots.map { _ in .null }
        case .toOne(let relationship): return [records.first?.value(relationship.slot ?? 0) ?? .null]
        case .value(let expression, _):
            return [try records.first.map { try evaluator.value(expression, root: $0) } ?? .null]
        case .aggregate(let function, let operand, _):
            return [Self.aggregate(function, try records.map { try evaluator.value(operand, root: $0) })]
        }
    }

    /// A sum of integers that 64 bits do not hold is a real here, as the dictionary has a place for it.
    private static func aggregate(_ function: AggregateFunction, _ values: [Value]) -> Value {
        let result = function.apply(values)
        guard function == .sum, result.isNull else { return result }
        return AggregateFunction.sum.apply([.real(0)] + values)
    }

    /// As the dictionary shows it; `nil` for nil.
    func any(_ values: [Value], _ column: DictionaryColumn) -> Any? {
        if case .attribute(let place) = column.kind, place.type == .composite {
            return AttributeCoding.any(SlotValues(values)[...], of: place.attribute.attribute)
        }
        return values.first.flatMap { any($0, column) }
    }

    private func any(_ value: Value, _ column: DictionaryColumn) -> Any? {
        switch (column.kind, value) {
        case (_, .null): return nil
        case (_, .reference(let id)): return NSManagedObjectID(id, core)
        case (.attribute(let place), _): return AttributeCoding.any(value, of: place.attribute.attribute)
        case (.value(_, .attribute(let attribute)), _): return AttributeCoding.any(value, of: attribute)
        case (.value(_, .type(let type)), _), (.aggregate(_, _, let type), _):
            return AttributeCoding.any(value, type.engineType ?? Self.naturalType(value))
        case (.toOne, _): return nil
        }
    }

    private static func naturalType(_ value: Value) -> ObjectGraph.AttributeType {
        switch value {
        case .integer: .integer64
        case .real: .double
        case .decimal: .decimal
        case .uuid: .uuid
        case .bytes: .binary
        case .text, .null, .reference: .string
        }
    }
}
