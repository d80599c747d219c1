import Foundation
import ObjectGraph

/// Relationships; the engine keeps both ends consistent.
extension NSManagedObject {
    /// Returns whether the destinations of a relationship have not been read yet.
    /// - Parameter key: the name of the relationship.
    public func hasFault(forRelationshipNamed key: String) -> Bool {
        switch table[key] {
        case .toMany(let relationship)?: !record.isRead(relationship)
        case .toOne(let relationship)?: record.isFault && !record.carries(PropertyPlace.toOne(relationship).slots)
        default: false
        }
    }

    /// Returns the identifiers of a relationship's destinations without reading the objects; for a to-one relationship, at most
    /// one.
    /// - Parameter key: the name of the relationship.
    /// - Complexity: At most one statement.
    public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        let core = managedObjectContext?.core
        switch table[key] {
        case .toMany(let relationship)?:
            return record.graph?.memberIDs(of: record, relationship).map { NSManagedObjectID($0, core) } ?? []
        case .toOne(let relationship)?:
            guard let slot = relationship.slot, case .reference(let id) = record.value(slot) else { return [] }
            return [NSManagedObjectID(id, core)]
        default: return []
        }
    }

    // MARK: Reading

    final func destination(_ relationship: EntityRelationship) -> NSManagedObject? {
        let record = record
        guard let graph = Graph.owner(of: record), let destination = graph.destination(of: record, relationship) else {
            return nil
        }
        return graph.object(of: destination) as? NSManagedObject
    }

    final func memberObjects(_ relationship: EntityRelationship) -> [NSManagedObject] {
        guard let graph = record.graph else { return [] }
        return graph.members(of: record, relationship).compactMap { graph.object(of: $0) as? NSManagedObject }
    }

    final func memberCount(_ relationship: EntityRelationship) -> Int {
        record.graph?.memberCount(of: record, relationship) ?? 0
    }

    /// The member at an index; `nil` after the last.
    final func memberObject(at place: Int, _ relationship: EntityRelationship) -> NSManagedObject? {
        guard let graph = record.graph else { return nil }
        return graph.member(at: place, of: record, relationship).flatMap(graph.object) as? NSManagedObject
    }

    /// The member that an object is; `nil` if it is not a member.
    final func member(_ object: Any, _ relationship: EntityRelationship) -> NSManagedObject? {
        guard let object = object as? NSManagedObject, let graph = record.graph, object.record.graph === graph,
            graph.has(object.record, relationship, of: record)
        else { return nil }
        return graph.object(of: object.record) as? NSManagedObject
    }

    final func members(_ relationship: EntityRelationship) -> Any {
        collection(of: memberObjects(relationship), relationship)
    }

    final func collection(of records: [Record], _ relationship: EntityRelationship) -> Any {
        let objects = records.compactMap { record.graph?.object(of: $0) as? NSManagedObject }
        return collection(of: objects, relationship)
    }

    private func collection(of objects: [NSManagedObject], _ relationship: EntityRelationship) -> Any {
        relationship.relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    // MARK: Writing

    final func setDestination(_ value: Any?, _ relationship: EntityRelationship) {
        guard let members = Self.objects(in: value), members.count < 2 else {
            return refuse(value, relationship.name, "a managed object")
        }
        link(members, relationship)
    }

    final func setMembers(_ value: Any?, _ relationship: EntityRelationship) {
        guard let members = Self.objects(in: value) else {
            return refuse(value, relationship.name, "a collection of managed objects")
        }
        link(members, relationship)
    }

    /// Sets a relationship in `awakeFromFetch`, which is no change, neither here nor at the other ends.
    final func wake(_ relationship: EntityRelationship, with value: Any?) {
        guard let members = Self.objects(in: value), members.allSatisfy({ $0.fits(relationship, of: self) }) else {
            return refuse(value, relationship.name, "a collection of managed objects")
        }
        record.graph?.setUnnoticed(members.map(\.record), relationship, of: record)
    }

    private func link(_ members: [NSManagedObject], _ relationship: EntityRelationship) {
        if isAwakening { return wake(relationship, with: members) }
        if let stranger = members.first(where: { !$0.fits(relationship, of: self) }) {
            return refuse(stranger, relationship.name, relationship.relationship.destinationName)
        }
        refusedValues[relationship.name] = nil
        Graph.link((record, self), relationship, to: members.map { ($0.record, $0) })
    }

    /// Whether the object's entity is the destination of the relationship or inherits from it.
    final func fits(_ relationship: EntityRelationship, of owner: NSManagedObject) -> Bool {
        var entity: NSEntityDescription? = self.entity
        while let current = entity {
            if current.name == relationship.relationship.destinationName { return true }
            entity = current.superentity
        }
        return false
    }

    /// - Returns: `nil` for a value other than an object or a collection of objects.
    static func objects(in value: Any?) -> [NSManagedObject]? {
        switch value {
        case nil, is NSNull: []
        case let object as NSManagedObject: [object]
        case let set as NSSet: all(set.allObjects)
        case let set as RelationshipOrderedSet: set.members
        case let set as NSOrderedSet: all(set.array)
        case let array as NSArray: all(array.map { $0 })
        case let array as [Any]: all(array)
        case let set as Set<NSManagedObject>: Array(set)
        case let set as Set<AnyHashable>: all(set.map(\.base))
        default: nil
        }
    }

    private static func all(_ members: [Any]) -> [NSManagedObject]? {
        let objects = members.compactMap { $0 as? NSManagedObject }
        return objects.count == members.count ? objects : nil
    }

    // MARK: Mutable sets

    /// Returns a to-many relationship as a mutable set; changes of the set change the relationship.
    /// - Parameter key: the name of the relationship.
    /// - Returns: An unrelated empty set for any other property.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        guard case .toMany(let relationship)? = table[key] else { return NSMutableSet() }
        return RelationshipSet(self, relationship)
    }

    /// Returns an ordered relationship as a mutable ordered set; changes of the set change the relationship.
    /// - Parameter key: the name of the relationship.
    /// - Returns: An unrelated empty set for any other property.
    public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        guard case .toMany(let relationship)? = table[key] else { return NSMutableOrderedSet() }
        return RelationshipOrderedSet(self, relationship)
    }

    final func add(_ member: NSManagedObject, _ relationship: EntityRelationship) {
        willRead()
        guard member.fits(relationship, of: self) else {
            return refuse(member, relationship.name, relationship.relationship.destinationName)
        }
        if !isAwakening, let graph = record.graph, member.record.graph === graph {
            graph.add(member.record, to: relationship, of: record)
        } else {
            link(memberObjects(relationship) + [member], relationship)
        }
    }

    final func remove(_ member: NSManagedObject, _ relationship: EntityRelationship) {
        willRead()
        if isAwakening { return wake(relationship, with: memberObjects(relationship).filter { $0 !== member }) }
        record.graph?.remove(member.record, from: relationship, of: record)
    }
}
