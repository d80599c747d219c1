import Foundation
import ObjectGraph

/// A store that reads everything into memory when it is opened, and writes everything with each save. Derive from it to keep
/// objects in a file of your own format:
///
/// ```swift
/// final class JSONStore: NSAtomicStore {
///     override func load() throws { … addCacheNodes(nodes) }
///     override func save() throws { … for node in cacheNodes() { … } }
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: "JSON")
/// ```
///
/// Calls come one at a time.
nonisolated open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    // What changes is under the locks of the tables.
    final let nodes = Locked<[ObjectID: NSAtomicStoreCacheNode]>([:])
    final let references = ReferenceTable()

    // MARK: For subclasses to say

    /// Reads the file, and hands its objects over with `addCacheNodes(_:)`. Called once, after `loadMetadata()`.
    open func load() throws {}

    /// Writes all of `cacheNodes()`, and `metadata`.
    open func save() throws {}

    /// A node for a new object. Unless overridden, one without values: they come with `updateCacheNode(_:from:)`.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Takes over an object's values. Unless overridden, all of them: nodes stand for the objects of relationships.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        let entity = managedObject.entity
        for (name, attribute) in entity.attributesByName where !attribute.isTransient {
            node.setValue(managedObject.value(forKey: name), forKey: name)
        }
        for (name, relationship) in entity.relationshipsByName where !relationship.isTransient {
            node.setValue(nodeValue(managedObject.value(forKey: name), relationship), forKey: name)
        }
    }

    private func nodeValue(_ value: Any?, _ relationship: NSRelationshipDescription) -> Any? {
        guard relationship.isToMany else {
            return (value as? NSManagedObject).flatMap { cacheNode(for: $0.objectID) }
        }
        let members = RowCoding.identifiers(value).compactMap { id in nodes.withLock { $0[id] } }
        return relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    }

    /// Called before nodes of deleted objects leave.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// What a new object is to be known by in this store: a number, a text or a UUID. Unless overridden, the next number that
    /// no object of its entity has.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let entity = managedObject.entity.name ?? ""
        let next = highest.withLock { highest -> Int64? in
            let (next, isTooMuch) = (highest[entity] ?? 0).addingReportingOverflow(1)
            if isTooMuch { return nil }
            highest[entity] = next
            return next
        }
        // Without a number that is free, something else that nobody has.
        return next.map { NSNumber(value: $0) } ?? UUID()
    }

    /// The highest number that is known, by entity.
    private final let highest = Locked<[String: Int64]>([:])

    private func noteNumber(of id: ObjectID) {
        guard let number = references.reference(of: id.key) as? NSNumber else { return }
        highest.withLock { $0[id.entityName] = max($0[id.entityName] ?? 0, number.int64Value) }
    }

    // MARK: For subclasses to ask

    public final func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.withLock { Set($0.values) } }

    public final func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        nodes.withLock { nodes in
            for node in cacheNodes { nodes[node.objectID.id] = node }
        }
        for node in cacheNodes { noteNumber(of: node.objectID.id) }
    }

    public final func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes.withLock { $0[objectID.id] }
    }

    /// The identifier of the object that the store knows by this reference.
    public final func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        identifier(of: entity, reference: data, in: references)
    }

    /// What the store knows an object by.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(of: objectID.id.key)
    }

    // MARK: Metadata

    /// What the file says of itself, as `metadataForPersistentStore(with:)` reads it; nothing for a file to be made.
    open override func loadMetadata() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
    }
}

extension NSPersistentStore {
    final func identifier(
        of entity: NSEntityDescription, reference: Any, in references: ReferenceTable
    ) -> NSManagedObjectID {
        let name = entity.name ?? ""
        let space = IDSpace.intern(storeIdentifier: identifier, entityName: name)
        let key = references.key(for: reference, entity: name)
        return NSManagedObjectID(ObjectID(space: space, key: key), persistentStoreCoordinator?.core)
    }
}
