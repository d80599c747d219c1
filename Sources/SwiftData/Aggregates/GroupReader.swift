import Foundation
import ObjectGraph

/// Reads the keys and the results of one group as the types of a descriptor, in order.
struct GroupReader {
    let context: ModelContext
    let keys: [PredicateOperand]
    let results: [AggregateColumn]
    private var keyValues: ArraySlice<Value>
    private var resultValues: ArraySlice<Value>
    private var nextKey = 0
    private var nextResult = 0

    init(_ group: RowGroup, keys: [PredicateOperand], results: [AggregateColumn], in context: ModelContext) {
        self.context = context
        self.keys = keys
        self.results = results
        keyValues = group.keys[...]
        resultValues = group.results[...]
    }

    mutating func key<Key>(as type: Key.Type) throws -> Key {
        defer { nextKey += 1 }
        guard keys.indices.contains(nextKey) else { throw Self.unreadable(type) }
        let found: Any?
        switch keys[nextKey] {
        case .object:
            found = try model(keyValues.popFirst() ?? .null)
        case .leaves(let leaves, let codec):
            let values = SlotValues(keyValues.prefix(leaves.count))
            keyValues = keyValues.dropFirst(leaves.count)
            found = codec.map { $0.decodedAny(values) } ?? values.first.flatMap(Self.identifier)
        case .constant, .test, .collection, .range: found = nil
        }
        return try Self.cast(found, type)
    }

    mutating func result<Result>(as type: Result.Type) throws -> Result {
        defer { nextResult += 1 }
        guard results.indices.contains(nextResult), let value = resultValues.popFirst() else {
            throw Self.unreadable(type)
        }
        let column = results[nextResult]
        if value == .null, column.term.function == .sum {
            throw SwiftDataError.unsupportedKeyPath.explained(
                "The sum of \(column.term.keyPath) exceeds 64 bits; make it the sum of decimals or of a Double.")
        }
        return try Self.cast(column.decoded(value), type)
    }

    private func model(_ value: Value) throws -> Any? {
        guard case .reference(let id) = value, let record = context.graph.record(for: id) else { return nil }
        return context.graph.object(of: record, madeBy: context)
    }

    private static func identifier(_ value: Value) -> Any? {
        if case .reference(let id) = value { PersistentIdentifier(id) } else { nil }
    }

    private static func cast<T>(_ found: Any?, _ type: T.Type) throws -> T {
        if let found, let value = found as? T { return value }
        // An optional type accepts nil.
        if found == nil, let value = found as Any as? T { return value }
        throw unreadable(type)
    }

    private static func unreadable(_ type: any Any.Type) -> SwiftDataError {
        .unsupportedKeyPath.explained(
            "A group has a value that is no \(type). Make the property's type optional if rows may lack it.")
    }
}
