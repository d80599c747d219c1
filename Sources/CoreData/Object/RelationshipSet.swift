import Foundation
import ObjectGraph

/// A to-many relationship as a set. Keeps its owner alive.
final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject?
    private let relationship: EntityRelationship?

    init(_ owner: NSManagedObject, _ relationship: EntityRelationship) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    /// A set of nothing: sets of relationships are made from their owners, and copied into ordinary ones.
    required init(capacity numItems: Int) {
        owner = nil
        relationship = nil
        super.init(capacity: numItems)
    }

    required init?(coder aDecoder: NSCoder) { nil }

    private var members: [NSManagedObject] { relationship.flatMap { owner?.memberObjects($0) } ?? [] }

    override var count: Int { members.count }
    override func member(_ object: Any) -> Any? { members.first { $0.isEqual(object) } }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }

    override func add(_ object: Any) {
        if let object = object as? NSManagedObject, let relationship { owner?.add(object, relationship) }
    }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject, let relationship { owner?.remove(object, relationship) }
    }
}

/// An ordered relationship as an ordered set. Keeps its owner alive.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject?
    private let relationship: EntityRelationship?

    init(_ owner: NSManagedObject, _ relationship: EntityRelationship) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    /// A set of nothing, as above.
    override init(capacity numItems: Int) {
        owner = nil
        relationship = nil
        super.init(capacity: numItems)
    }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: 0)
    }

    required init?(coder aDecoder: NSCoder) { nil }

    private var members: [NSManagedObject] { relationship.flatMap { owner?.memberObjects($0) } ?? [] }

    override var count: Int { members.count }
    override func object(at idx: Int) -> Any { members[idx] }
    override func index(of object: Any) -> Int { members.firstIndex { $0.isEqual(object) } ?? NSNotFound }

    override func insert(_ object: Any, at idx: Int) {
        guard let object = object as? NSManagedObject, let relationship else { return }
        var members = members.filter { $0 !== object }
        members.insert(object, at: Swift.min(Swift.max(0, idx), members.count))
        owner?.replaceMembers(relationship, with: members)
    }

    override func removeObject(at idx: Int) {
        let members = members
        if members.indices.contains(idx), let relationship { owner?.remove(members[idx], relationship) }
    }

    override func replaceObject(at idx: Int, with object: Any) {
        guard let object = object as? NSManagedObject, let relationship else { return }
        var members = members
        guard members.indices.contains(idx) else { return }
        members[idx] = object
        owner?.replaceMembers(relationship, with: members)
    }

    // MARK: Several at once

    // The superclass does these in a storage of its own, which is empty here.

    override func add(_ object: Any) {
        if index(of: object) == NSNotFound { insert(object, at: count) }
    }

    override func addObjects(from array: [Any]) {
        for object in array { add(object) }
    }

    override func remove(_ object: Any) {
        let place = index(of: object)
        if place != NSNotFound { removeObject(at: place) }
    }

    override func removeObjects(in array: [Any]) {
        for object in array { remove(object) }
    }

    override func removeAllObjects() {
        if let relationship { owner?.replaceMembers(relationship, with: []) }
    }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        for (object, place) in zip(objects, indexes) { insert(object, at: place) }
    }

    override func removeObjects(at indexes: IndexSet) {
        for place in indexes.reversed() { removeObject(at: place) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        for (place, object) in zip(indexes, objects) { replaceObject(at: place, with: object) }
    }
}
