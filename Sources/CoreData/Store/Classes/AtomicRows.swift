import Foundation
import ObjectGraph

/// The nodes of an atomic store as rows. Row versions are kept here, because files of a program's own format have none.
final class AtomicRows: ManagedRows {
    private let owner: WeakStore
    private let model: Model
    private let versions = Locked<[ObjectID: RowVersion]>([:])

    init(_ store: NSAtomicStore, _ model: Model) {
        owner = WeakStore(store: store)
        self.model = model
    }

    private func store() throws -> NSAtomicStore {
        guard let store = owner.store as? NSAtomicStore else { throw StoreClassError.storeIsGone }
        return store
    }

    private func version(_ id: ObjectID) -> RowVersion { versions.withLock { $0[id] ?? 1 } }

    // MARK: Reading

    func answer(to query: Query) throws -> ObjectAnswer {
        let nodes = try store().nodes.withLock { $0 }
        return .candidates(
            try nodes.compactMap { id, node in
                guard let index = model.entity(named: id.entityName)?.index, model.isKind(index, of: query.entityIndex)
                else { return nil }
                return try snapshot(id, node, nodes)
            })
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        let nodes = try store().nodes.withLock { $0 }
        return try ids.compactMap { id in try nodes[id].flatMap { try snapshot(id, $0, nodes) } }
    }

    private func snapshot(
        _ id: ObjectID, _ node: NSAtomicStoreCacheNode, _ nodes: [ObjectID: NSAtomicStoreCacheNode]
    ) throws -> Snapshot? {
        guard let entity = model.entity(named: id.entityName) else { return nil }
        let values = try RowCoding.values(of: entity) {
            node.value(forKey: $0)
        } destination: { relationship in
            // A relationship to a removed node has no destination.
            try RowCoding.destinations(node.value(forKey: relationship.name), of: relationship, entity.name)
                .first { nodes[$0] != nil }
        }
        return Snapshot(id: id, version: version(id), values: values)
    }

    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID] {
        let nodes = try store().nodes.withLock { $0 }
        guard let value = nodes[owner]?.value(forKey: relationship.name) else { return [] }
        let ids = try RowCoding.destinations(value, of: relationship, owner.entityName).filter { nodes[$0] != nil }
        return relationship.relationship.isOrdered ? ids : ids.sorted()
    }

    // MARK: Writing

    func conflicts(with changes: ChangeSet) throws -> [Conflict] {
        let nodes = try store().nodes.withLock { $0 }
        return try changes.conflicts { ids in
            try ids.compactMap { id in try nodes[id].flatMap { try snapshot(id, $0, nodes) } }
        }
    }

    /// All nodes are restored if the class cannot write them.
    func write(_ changes: ChangeSet) throws -> SavedRows {
        let store = try store()
        guard let context = StoreCall.current?.managedObjectContext else { throw StoreClassError.noCaller }
        let former = store.nodes.withLock { $0 }
        let formerValues = changes.updates.compactMap { update in
            former[update.id].map { ($0, $0.propertyCache?.mutableCopy() as? NSMutableDictionary) }
        }
        do {
            change(store, changes, context)
            try store.save()
        } catch {
            store.nodes.withLock { $0 = former }
            for (node, values) in formerValues { node.propertyCache = values }
            throw error
        }
        versions.withLock { versions in
            for insertion in changes.insertions { versions[insertion.id] = 1 }
            for update in changes.updates { versions[update.id] = .next(after: update.expectedVersion) }
            for deletion in changes.deletions { versions[deletion.id] = nil }
        }
        return SavedRows(asGiven: changes)
    }

    private func change(_ store: NSAtomicStore, _ changes: ChangeSet, _ context: NSManagedObjectContext) {
        let removed = Set(changes.deletions.compactMap { deletion in store.nodes.withLock { $0[deletion.id] } })
        if !removed.isEmpty {
            store.willRemoveCacheNodes(removed)
            store.nodes.withLock { nodes in
                for node in removed { nodes[node.objectID.id] = nil }
            }
        }
        let inserted = changes.insertions.compactMap { context.registeredObject($0.id) }
        // All nodes are added first, because they may refer to each other.
        store.addCacheNodes(Set(inserted.map(store.newCacheNode)))
        let updated = changes.updates.compactMap { context.registeredObject($0.id) }
        for object in inserted + updated {
            if let node = store.cacheNode(for: object.objectID) { store.updateCacheNode(node, from: object) }
        }
    }

    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID] {
        let store = try store()
        return objects.map { object in
            store.objectID(for: object.entity, withReferenceObject: store.newReferenceObject(for: object)).id
        }
    }
}
