import Foundation
import ObjectGraph

/// The groups of one descriptor in a context, brought up to date when asked: maintained, or fetched again if the descriptor
/// cannot be followed. Used in the context's isolation.
final class FollowedGroups<Model: PersistentModel, Key, Value> {
    private let descriptor: AggregateDescriptor<Model, Key, Value>
    private let context: ModelContext
    private let maintained: MaintainedGroups<Key, Value>?
    private(set) var list: GroupList<Key, Value>
    private var seen: ContextMarker
    private var fetchCount = 0

    /// Computes the groups.
    /// - Throws: The errors of `ModelContext.fetchGroups(_:)`.
    init(_ descriptor: AggregateDescriptor<Model, Key, Value>, in context: ModelContext) throws {
        self.descriptor = descriptor
        self.context = context
        maintained = try Self.maintained(descriptor, context)
        list = GroupList(try maintained?.groups() ?? context.fetchRowsOfGroups(descriptor))
        seen = ContextMarker(context)
    }

    private static func maintained(
        _ descriptor: AggregateDescriptor<Model, Key, Value>, _ context: ModelContext
    ) throws -> MaintainedGroups<Key, Value>? {
        var translator = try AggregateTranslator(
            descriptor.keyPaths, descriptor.terms, ModelType.of(Model.self), context.core.store.model)
        let models = FetchDescriptor<Model>(predicate: descriptor.predicate)
        guard descriptor.includePendingChanges, context.dataStoreCaller == nil,
            case .query(let rows) = try context.plan(models, reach: .subclasses),
            let queries = context.followers.queries(of: context.graph)
        else { return nil }
        let query = try translator.query(rows, having: descriptor.having)
        let (keys, columns) = (translator.keys, translator.columns)
        return try MaintainedGroups(query, queries) { group in
            var reader = GroupReader(group, keys: keys, results: columns, in: context)
            let key = try descriptor.makeKey(&reader)
            return AggregateGroup(key: key, value: try descriptor.makeValue(&reader))
        }
    }

    /// The number of changes after which all groups were computed anew.
    var refetches: Int { maintained?.refetches ?? fetchCount }

    /// Whether anything has happened in the context since the last update. Cheap.
    var mayHaveChanged: Bool {
        maintained?.mayHaveChanged ?? (!context.graph.inbox.isEmpty || ContextMarker(context) != seen)
    }

    /// Brings the groups up to date with the context, after merging the saves of others.
    /// - Returns: Whether groups have changed.
    /// - Throws: The errors of `ModelContext.fetchGroups(_:)`. The groups then stay.
    func update() throws -> Bool {
        if let maintained {
            guard maintained.update() else { return false }
            return show(try maintained.groups())
        }
        guard mayHaveChanged else { return false }
        let found = try context.fetchRowsOfGroups(descriptor)
        fetchCount += 1
        seen = ContextMarker(context)
        return show(found)
    }

    /// - Returns: Whether any group is another one than before.
    private func show(_ found: [(row: RowGroup, group: AggregateGroup<Key, Value>)]) -> Bool {
        let new = GroupList(found)
        if new.rows == list.rows { return false }
        list = new
        return true
    }
}
