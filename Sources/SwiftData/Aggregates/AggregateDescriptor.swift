import Foundation

/// The aggregates to compute, and the groups of models to compute them for.
///
/// ```swift
/// let descriptor = AggregateDescriptor(
///     of: Animal.self, .count, .sum(\.weight), by: \.category?.name, having: .count > 3)
/// for group in try context.fetchGroups(descriptor) {
///     print(group.key ?? "none", group.value.0, group.value.1)
/// }
/// ```
///
/// `Key` is the type of the property to group by, a tuple of several, or `Void` without any; `Value` is the type of the
/// aggregate, or a tuple of several. Keys are attributes, models at the end of to-one relationships, and identifiers.
///
/// This type is not part of Apple's SwiftData.
public struct AggregateDescriptor<Model: PersistentModel, Key, Value>: @unchecked Sendable {
    // A value whose components are immutable once set; key paths only lack the annotation.
    /// The condition for models; `nil` for all models of the type.
    public var predicate: Predicate<Model>?
    /// The condition for groups; `nil` for all groups.
    public var having: GroupPredicate<Model>?
    /// Whether unsaved inserts, edits and deletions of the context are considered. The default is `true`.
    public var includePendingChanges = true

    let keyPaths: [AnyKeyPath]
    let terms: [AggregateTerm]
    let makeKey: (inout GroupReader) throws -> Key
    let makeValue: (inout GroupReader) throws -> Value

    /// Creates a descriptor that includes unsaved changes.
    /// - Parameters:
    ///   - model: The class of the models. Those of subclasses are included.
    ///   - aggregates: The values to compute for each group.
    ///   - keyPaths: The properties that models of a group share; without any, all models are one group, which exists
    ///     even without models.
    ///   - predicate: The condition for models; `nil` for all models of the type.
    ///   - having: The condition for groups; `nil` for all groups.
    public init<each KeyPart, each Result>(
        of model: Model.Type = Model.self, _ aggregates: repeat Aggregate<Model, each Result>,
        by keyPaths: repeat KeyPath<Model, each KeyPart>, where predicate: Predicate<Model>? = nil,
        having: GroupPredicate<Model>? = nil
    ) where Key == (repeat each KeyPart), Value == (repeat each Result) {
        self.predicate = predicate
        self.having = having
        var paths: [AnyKeyPath] = []
        var terms: [AggregateTerm] = []
        for keyPath in repeat each keyPaths { paths.append(keyPath) }
        for aggregate in repeat each aggregates { terms.append(aggregate.term) }
        self.keyPaths = paths
        self.terms = terms
        makeKey = { reader in (repeat try reader.key(as: (each KeyPart).self)) }
        makeValue = { reader in (repeat try reader.result(as: (each Result).self)) }
    }
}

/// Models that share values, and what was computed from them.
public struct AggregateGroup<Key, Value> {
    /// The values that the models share.
    public let key: Key
    /// The aggregates.
    public let value: Value
}

extension AggregateGroup: Sendable where Key: Sendable, Value: Sendable {}

extension AggregateGroup: Equatable where Key: Equatable, Value: Equatable {}

extension AggregateGroup: Hashable where Key: Hashable, Value: Hashable {}

extension AggregateGroup: Identifiable where Key: Hashable {
    /// The values that the models share, which no other group has.
    public var id: Key { key }
}
