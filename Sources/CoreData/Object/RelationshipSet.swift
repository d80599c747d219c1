import Foundation
import ObjectGraph

/// A to-many relationship as a set. It retains the owner.
final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject?
    private let relationship: EntityRelationship?

    init(_ owner: NSManagedObject, _ relationship: EntityRelationship) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    /// An empty set without an owner: sets of relationships are made from their owners, and copied into ordinary sets.
    required init(capacity numItems: Int) {
        owner = nil
        relationship = nil
        super.init(capacity: numItems)
    }

    required init?(coder aDecoder: NSCoder) { nil }

    private var members: [NSManagedObject] { relationship.flatMap { owner?.memberObjects($0) } ?? [] }

    override var count: Int { relationship.flatMap { owner?.memberCount($0) } ?? 0 }
    override func member(_ object: Any) -> Any? { relationship.flatMap { owner?.member(object, $0) } }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }

    override func add(_ object: Any) {
        if let object = object as? NSManagedObject, let relationship { owner?.add(object, relationship) }
    }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject, let relationship { owner?.remove(object, relationship) }
    }

    /// The superclass describes its own storage, which is empty here.
    override func description(withLocale locale: Locale?) -> String {
        NSSet(array: members).description(withLocale: locale)
    }
}
