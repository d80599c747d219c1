import Foundation
import ObjectGraph

/// Reads the values of columns, and converts them to the form of the dictionaries.
struct DictionaryReader {
    private let evaluator: QueryEvaluator<GraphObjects>
    private let core: CoordinatorCore

    init(graph: Graph, core: CoordinatorCore) {
        evaluator = QueryEvaluator(GraphObjects(graph: graph, model: core.model))
        self.core = core
    }

    /// One value, or those of a composite's leaves.
    /// - Parameter records: one row, or the rows of a group, whose first row supplies the values of plain columns.
    func values(_ column: DictionaryColumn, of records: [Record]) throws -> [Value] {
        switch column.kind {
        case .attribute(let place):
            let slots = place.attribute.slots
            return records.first.map { Array($0.values(slots)) } ?? slots.map { _ in .null }
        case .toOne(let relationship): return [records.first?.value(relationship.slot ?? 0) ?? .null]
        case .value(let expression, _):
            return [try records.first.map { try evaluator.value(expression, root: $0) } ?? .null]
        case .aggregate(let aggregate):
            return [Self.result(of: aggregate, try records.map { try evaluator.value(aggregate.operand, root: $0) })]
        }
    }

    /// A sum of integers that overflows 64 bits becomes a real, which a dictionary can hold.
    private static func result(of aggregate: DictionaryColumn.Aggregate, _ values: [Value]) -> Value {
        let result = aggregate.function.apply(values, with: aggregate.numbers)
        guard aggregate.function == .sum, aggregate.numbers == .reals, result.isNull else { return result }
        return AggregateFunction.sum.apply([.real(0)] + values)
    }

    /// The value in the form of the dictionary; `nil` for null.
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
        case (.value(_, .type(let type)), _): return any(value, asked: type)
        case (.aggregate(let aggregate), _): return any(value, asked: aggregate.type)
        case (.toOne, _): return nil
        }
    }

    /// A calculated value, converted to the requested type.
    private func any(_ value: Value, asked type: NSAttributeType) -> Any? {
        guard let type = type.engineType else { return AttributeCoding.any(value, Self.naturalType(value)) }
        return AttributeCoding.any(Self.converted(value, to: type), type)
    }

    /// Converts numbers; a real is truncated where an integer is requested. A value that the type cannot represent is returned
    /// unchanged.
    private static func converted(_ value: Value, to type: ObjectGraph.AttributeType) -> Value {
        switch (type, value) {
        case (.decimal, _): return value.decimal.map(Value.decimal) ?? value
        case (.double, .decimal(let number)), (.float, .decimal(let number)): return .real(number.storedDouble)
        case (.integer16, .decimal(let number)), (.integer32, .decimal(let number)), (.integer64, .decimal(let number)):
            return integer(number.storedDouble) ?? value
        case (.integer16, .real(let number)), (.integer32, .real(let number)), (.integer64, .real(let number)):
            return integer(number) ?? value
        default: return value
        }
    }

    private static func integer(_ real: Double) -> Value? {
        Int64(exactly: real.rounded(.towardZero)).map(Value.integer)
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
