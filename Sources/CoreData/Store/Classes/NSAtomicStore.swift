import Foundation
import ObjectGraph

/// A store that reads everything into memory when it is opened, and writes everything with each save. Subclass it to keep
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
/// Methods are called one at a time.
nonisolated open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    // Mutable state is guarded by the locks of the tables.
    final let nodes = Locked<[ObjectID: NSAtomicStoreCacheNode]>([:])
    final let references = ReferenceTable()

    // MARK: Overridden by subclasses

    /// Reads the file and adds its objects with `addCacheNodes(_:)`. Called once, after `loadMetadata()`.
    /// - Throws: Any error; the store is not added then.
    open func load() throws {}

    /// Writes all of `cacheNodes()`, and `metadata`.
    /// - Throws: Any error; the save fails then, and the nodes are as before.
    open func save() throws {}

    /// Returns a node for a new object. Unless overridden, it has no values: they are set by `updateCacheNode(_:from:)`.
    /// - Parameter managedObject: the object.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    }

    /// Copies an object's values into its node. Unless overridden, it copies all of them, with nodes in place of the objects of
    /// relationships.
    /// - Parameters:
    ///   - node: the node.
    ///   - managedObject: the object.
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

    /// Called before the nodes of deleted objects are removed.
    /// - Parameter cacheNodes: the nodes.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// Returns the value by which the store identifies a new object: a number, a text or a UUID. Unless overridden, it is the
    /// next number that no object of its entity has.
    /// - Parameter managedObject: the object.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let entity = managedObject.entity.name ?? ""
        let next = highest.withLock { highest -> Int64? in
            let (next, isTooMuch) = (highest[entity] ?? 0).addingReportingOverflow(1)
            if isTooMuch { return nil }
            highest[entity] = next
            return next
        }
        // Without a free number, a unique value of another kind.
        return next.map { NSNumber(value: $0) } ?? UUID()
    }

    /// The highest known number, by entity.
    private final let highest = Locked<[String: Int64]>([:])

    private func noteNumber(of id: ObjectID) {
        guard let number = references.reference(of: id.key) as? NSNumber else { return }
        highest.withLock { $0[id.entityName] = max($0[id.entityName] ?? 0, number.int64Value) }
    }

    // MARK: Called by subclasses

    /// Returns the nodes of all objects of the store.
    public final func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.withLock { Set($0.values) } }

    /// Adds nodes to the store.
    /// - Parameter cacheNodes: the nodes; one with the identifier of an existing node replaces it.
    public final func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        nodes.withLock { nodes in
            for node in cacheNodes { nodes[node.objectID.id] = node }
        }
        for node in cacheNodes { noteNumber(of: node.objectID.id) }
    }

    /// Returns the node of an object.
    /// - Parameter objectID: the identifier of the object.
    /// - Returns: `nil` if the store has no such object.
    public final func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes.withLock { $0[objectID.id] }
    }

    /// Returns the identifier of the object that the store identifies by a value.
    /// - Parameters:
    ///   - entity: the object's own entity.
    ///   - data: a number, a text or a UUID.
    public final func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        identifier(of: entity, reference: data, in: references)
    }

    /// Returns the value by which the store identifies an object.
    /// - Parameter objectID: the identifier of the object.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(of: objectID.id.key)
    }

    // MARK: Metadata

    /// Reads the metadata of the file with `metadataForPersistentStore(with:)`; for a file that does not exist, there are none.
    /// - Throws: Errors of `metadataForPersistentStore(with:)`.
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
