import Foundation
import ObjectGraph

extension ModelContext {
    /// Returns the groups of a descriptor with their aggregates, in the order of their keys: nil first, strings by their
    /// UTF-8 bytes, models by their identifiers.
    ///
    /// This method is not part of Apple's SwiftData.
    /// - Parameter descriptor: The aggregates, and the models to compute them of.
    /// - Throws: `SwiftDataError.unsupportedKeyPath` for a key path that is not a stored value of one model, for an
    ///   aggregate of values that the store does not order, for a key that is nil although its type is not optional, and
    ///   for a sum that exceeds 64 bits; `unsupportedPredicate` for a predicate that cannot be evaluated, `unknownSchema`
    ///   for a class outside the schema, or an error of reading the store.
    /// - Complexity: One statement, which returns a row for each group. If unsaved changes may affect the result, or only
    ///   memory can evaluate the descriptor, the models are fetched.
    public func fetchGroups<Model, Key, Value>(
        _ descriptor: AggregateDescriptor<Model, Key, Value>
    ) throws -> [AggregateGroup<Key, Value>] {
        try fetchRowsOfGroups(descriptor).map(\.group)
    }

    /// Returns the groups, each with the values that it is read from.
    func fetchRowsOfGroups<Model, Key, Value>(
        _ descriptor: AggregateDescriptor<Model, Key, Value>
    ) throws -> [(row: RowGroup, group: AggregateGroup<Key, Value>)] {
        var translator = try AggregateTranslator(
            descriptor.keyPaths, descriptor.terms, ModelType.of(Model.self), core.store.model)
        let groups = try groups(descriptor, &translator)
        return try groups.map { group in
            var reader = GroupReader(group, keys: translator.keys, results: translator.columns, in: self)
            let key = try descriptor.makeKey(&reader)
            return (group, AggregateGroup(key: key, value: try descriptor.makeValue(&reader)))
        }
    }

    /// Returns aggregates of all models that match a predicate.
    ///
    /// This method is not part of Apple's SwiftData.
    /// - Parameters:
    ///   - model: The class of the models. Those of subclasses are included.
    ///   - aggregates: The values to compute.
    ///   - predicate: The condition; `nil` for all models of the type.
    /// - Returns: The value, or a tuple of the values.
    /// - Throws: The errors of `fetchGroups(_:)`.
    /// - Complexity: One statement. If unsaved changes may affect the result, or only memory can evaluate the predicate,
    ///   the models are fetched.
    public func aggregate<Model, each Value>(
        of model: Model.Type = Model.self, _ aggregates: repeat Aggregate<Model, each Value>,
        where predicate: Predicate<Model>? = nil
    ) throws -> (repeat each Value) {
        let groups = try fetchGroups(AggregateDescriptor(of: model, repeat each aggregates, where: predicate))
        guard let all = groups.first else {
            throw SwiftDataError.unsupportedKeyPath.explained("Aggregates of \(Model.self) had no result.")
        }
        return all.value
    }

    private func groups<Model, Key, Value>(
        _ descriptor: AggregateDescriptor<Model, Key, Value>, _ translator: inout AggregateTranslator
    ) throws -> [RowGroup] {
        var models = FetchDescriptor<Model>(predicate: descriptor.predicate)
        models.includePendingChanges = descriptor.includePendingChanges
        switch try plan(models, reach: .subclasses) {
        case .query(let rows):
            let query = try translator.query(rows, having: descriptor.having)
            return try asking(models, rows) {
                try graph.groups(query, unsaved: descriptor.includePendingChanges ? .included : .ignored)
            }
        case .inMemory(let rows, _):
            let query = try translator.query(rows, having: descriptor.having)
            let records = try records(models, reach: .subclasses)
            return try graph.groups(query, of: records)
        }
    }
}
