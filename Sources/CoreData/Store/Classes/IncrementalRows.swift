import Foundation
import ObjectGraph

/// The objects of an incremental store as rows.
final class IncrementalRows: ManagedRows {
    private let owner: WeakStore
    private let model: Model

    init(_ store: NSIncrementalStore, _ model: Model) {
        owner = WeakStore(store: store)
        self.model = model
    }

    private func store() throws -> NSIncrementalStore {
        guard let store = owner.store as? NSIncrementalStore else { throw StoreClassError.storeIsGone }
        return store
    }

    /// The calling context, or a new one if the coordinator itself calls.
    private func context(_ store: NSIncrementalStore) throws -> NSManagedObjectContext {
        if let context = StoreCall.current?.managedObjectContext { return context }
        guard let coordinator = store.persistentStoreCoordinator else { throw StoreClassError.storeIsGone }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Fetching

    func answer(to query: Query) throws -> ObjectAnswer {
        let store = try store()
        let context = try context(store)
        guard let asked = StoreCall.current?.request, isSame(asked.query, query),
            let request = asked.request as? NSFetchRequest<any NSFetchRequestResult>
        else {
            let ids = try fetch(request(for: query, context), store, context)
            return .candidates(try ids.compactMap { try snapshot($0, store, context) })
        }
        (request.fetchLimit, request.fetchOffset) = (query.limit ?? 0, query.offset)
        return .exactly(try fetch(request, store, context))
    }

    /// Whether a query is that of the request, apart from limit and offset.
    private func isSame(_ asked: Query, _ query: Query) -> Bool {
        var own = asked
        (own.limit, own.offset, own.excluded) = (query.limit, query.offset, query.excluded)
        return own == query && query.limit != 0
    }

    /// A request for all objects of the entity, for queries of the engine itself.
    private func request(
        for query: Query, _ context: NSManagedObjectContext
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        let name = model[query.entityIndex].name
        guard let entity = context.core.tables.table(named: name)?.description else {
            throw StoreGroupError.noStore(entity: name)
        }
        request.entity = entity
        request.includesSubentities = query.includesSubentities
        return request
    }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ store: NSIncrementalStore,
        _ context: NSManagedObjectContext
    ) throws -> [ObjectID] {
        RowCoding.identifiers(try store.execute(request, with: context))
    }

    // MARK: Values

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        let store = try store()
        let context = try context(store)
        return try ids.compactMap { try snapshot($0, store, context) }
    }

    /// - Returns: `nil` if the store reports that there is no such object.
    private func snapshot(
        _ id: ObjectID, _ store: NSIncrementalStore, _ context: NSManagedObjectContext
    ) throws -> Snapshot? {
        guard let entity = model.entity(named: id.entityName),
            let description = context.core.tables.table(named: id.entityName)?.description
        else { return nil }
        let node: NSIncrementalStoreNode
        do {
            node = try store.newValuesForObject(with: NSManagedObjectID(id, context.core), with: context)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return nil
        }
        let (attributes, relationships) = (description.attributesByName, description.relationshipsByName)
        let values = try RowCoding.values(of: entity) { name in
            attributes[name].flatMap { node.value(for: $0) }
        } destination: { relationship in
            guard let own = relationships[relationship.name] else { return nil }
            let value = try node.value(for: own) ?? self.value(own, id, store, context)
            return try RowCoding.destinations(value, of: relationship, entity.name).first
        }
        return Snapshot(id: id, version: max(1, RowVersion(clamping: node.version)), values: values)
    }

    private func value(
        _ relationship: NSRelationshipDescription, _ id: ObjectID, _ store: NSIncrementalStore,
        _ context: NSManagedObjectContext
    ) throws -> Any {
        try store.newValue(
            forRelationship: relationship, forObjectWith: NSManagedObjectID(id, context.core), with: context)
    }

    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID] {
        let store = try store()
        let context = try context(store)
        guard
            let description = context.core.tables.table(named: owner.entityName)?.description
                .relationshipsByName[relationship.name]
        else { return [] }
        return try RowCoding.destinations(
            value(description, owner, store, context), of: relationship, owner.entityName)
    }

    // MARK: Saving

    /// Detecting conflicts is left to the program's class.
    func conflicts(with changes: ChangeSet) throws -> [Conflict] { [] }

    func write(_ changes: ChangeSet) throws -> SavedRows {
        guard let context = StoreCall.current?.managedObjectContext else { throw StoreClassError.noCaller }
        func objects(_ ids: [ObjectID]) -> Set<NSManagedObject> {
            Set(ids.compactMap { context.registeredObject($0) })
        }
        let request = NSSaveChangesRequest(
            inserted: objects(changes.insertions.map(\.id)), updated: objects(changes.updates.map(\.id)),
            deleted: objects(changes.deletions.map(\.id)), locked: nil)
        _ = try store().execute(request, with: context)
        return SavedRows(asGiven: changes)
    }

    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID] {
        let ids = try store().obtainPermanentIDs(for: objects).map(\.id)
        guard ids.count == objects.count else {
            throw CocoaError(
                .persistentStoreSave,
                text: "The store gave \(ids.count) identifiers for \(objects.count) new objects; give one for each.")
        }
        return ids
    }
}
