import Foundation
import ObjectGraph

/// An ordered relationship as an ordered set. It retains the owner.
///
/// Foundation reads an ordered set's own storage in methods that no subclass can override: `array`, `set`, `firstObject`,
/// `lastObject`, `reversed` and iterating. The members are therefore kept there, too. They are brought up to date when the set
/// is made or changed, and by other methods such as `count`, except `contains(_:)` and `object(at:)`, which read one member
/// only.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject?
    private let relationship: EntityRelationship?
    /// The members in the superclass's storage.
    private var taken: [NSManagedObject] = []
    private var isTaking = false

    init(_ owner: NSManagedObject, _ relationship: EntityRelationship) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
        _ = members
    }

    /// An empty set without an owner.
    override init(capacity numItems: Int) {
        owner = nil
        relationship = nil
        super.init(capacity: numItems)
    }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: 0)
    }

    required init?(coder aDecoder: NSCoder) { nil }

    // MARK: Members

    /// The current members of the relationship.
    var members: [NSManagedObject] {
        let members = relationship.flatMap { owner?.memberObjects($0) } ?? []
        take(members)
        return members
    }

    /// - Complexity: One comparison for each member, if only a few consecutive members differ.
    private func take(_ members: [NSManagedObject]) {
        let start = Self.sameCount(taken, members)
        if start == taken.count, start == members.count { return }
        let end = Self.sameCount(taken[start...].reversed(), members[start...].reversed())
        isTaking = true
        exchange(start..<taken.count - end, for: members[start..<members.count - end], of: members)
        isTaking = false
        taken = members
    }

    /// The number of equal elements before the first difference.
    private static func sameCount(
        _ some: some Collection<NSManagedObject>, _ others: some Collection<NSManagedObject>
    ) -> Int {
        var count = 0
        for (one, other) in zip(some, others) {
            guard one === other else { break }
            count += 1
        }
        return count
    }

    /// The maximum number of single insertions and removals, each of which moves the members behind it.
    private static var mostMoved: Int { 16 }

    private func exchange(_ leaving: Range<Int>, for coming: ArraySlice<NSManagedObject>, of members: [NSManagedObject])
    {
        guard leaving.count + coming.count <= Self.mostMoved else {
            super.removeAllObjects()
            super.addObjects(from: members)
            return
        }
        for place in leaving.reversed() { super.removeObject(at: place) }
        for (place, member) in zip(coming.indices, coming) { super.insert(member, at: place) }
    }

    /// Changes the members; objects of other entities are refused as in `setValue(_:forKey:)`.
    private func change(_ body: (inout [Any]) -> Void) {
        guard let owner, let relationship else { return }
        var members: [Any] = members
        body(&members)
        owner.setMembers(members, relationship)
        _ = self.members
    }

    private static func index(of object: Any, in members: [Any]) -> Int? {
        members.firstIndex { ($0 as? NSObject)?.isEqual(object) ?? false }
    }

    // MARK: Reading

    // The superclass calls these while its storage is updated, and then needs the storage's values.

    override var count: Int { isTaking ? super.count : members.count }

    override func object(at idx: Int) -> Any {
        relationship.flatMap { owner?.memberObject(at: idx, $0) } ?? members[idx]
    }

    override func index(of object: Any) -> Int { Self.index(of: object, in: members) ?? NSNotFound }

    override func contains(_ object: Any) -> Bool {
        isTaking ? super.contains(object) : relationship.flatMap { owner?.member(object, $0) } != nil
    }

    override func enumerateObjects(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        NSArray(array: members).enumerateObjects(block)
    }

    override func sortedArray(
        options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) -> [Any] {
        NSArray(array: members).sortedArray(options: opts, usingComparator: cmptr)
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }

    override var description: String { NSArray(array: members).description }

    // MARK: One at a time

    // Indices out of range are ignored.

    override func insert(_ object: Any, at idx: Int) {
        change { members in
            guard Self.index(of: object, in: members) == nil else { return }
            members.insert(object, at: Swift.min(Swift.max(0, idx), members.count))
        }
    }

    override func removeObject(at idx: Int) {
        let members = members
        if members.indices.contains(idx) { remove(members[idx]) }
    }

    override func replaceObject(at idx: Int, with object: Any) {
        change { if $0.indices.contains(idx) { $0[idx] = object } }
    }

    override func add(_ object: Any) {
        guard let owner, let relationship, !owner.isAwakening, let member = object as? NSManagedObject else {
            return addObjects(from: [object])
        }
        if owner.member(member, relationship) != nil { return }
        owner.add(member, relationship)
        let members = members
        // An object that is a member already keeps its position and must be moved to the end.
        guard members.last !== member, let place = members.firstIndex(where: { $0 === member }) else { return }
        change { $0.append($0.remove(at: place)) }
    }

    override func remove(_ object: Any) {
        guard let owner, let relationship, !owner.isAwakening, let member = object as? NSManagedObject else {
            return removeObjects(in: [object])
        }
        owner.remove(member, relationship)
        _ = members
    }

    // MARK: Several at once

    // The superclass implements these on its storage, or does not check indices.

    override func addObjects(from array: [Any]) {
        change { members in
            var known = Set(members.compactMap { $0 as? NSObject })
            members += array.filter { object in (object as? NSObject).map { known.insert($0).inserted } ?? true }
        }
    }

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        addObjects(from: Array(UnsafeBufferPointer(start: objects, count: count)))
    }

    override func removeObjects(in array: [Any]) {
        let leaving = Set(array.compactMap { $0 as? NSObject })
        change { $0.removeAll { leaving.contains(($0 as? NSObject) ?? NSNull()) } }
    }

    override func removeAllObjects() {
        change { $0.removeAll() }
    }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
        for (object, place) in zip(objects, indexes) { insert(object, at: place) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        for (place, object) in zip(indexes, objects) { replaceObject(at: place, with: object) }
    }

    override func intersect(_ other: NSOrderedSet) {
        change { members in members.removeAll { !other.contains($0) } }
    }

    // MARK: Order

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        change { members in
            if members.indices.contains(idx1), members.indices.contains(idx2) { members.swapAt(idx1, idx2) }
        }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        change { members in
            let places = indexes.filter(members.indices.contains)
            let moved = places.map { members[$0] }
            for place in places.reversed() { members.remove(at: place) }
            members.insert(contentsOf: moved, at: Swift.min(Swift.max(0, idx), members.count))
        }
    }

    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        change { members in
            guard let range = Range(range)?.clamped(to: members.indices) else { return }
            let sorted = NSArray(array: Array(members[range])).sortedArray(options: opts, usingComparator: cmptr)
            members.replaceSubrange(range, with: sorted)
        }
    }

    override func sort(using sortDescriptors: [Foundation.NSSortDescriptor]) {
        change { $0 = NSArray(array: $0).sortedArray(using: sortDescriptors) }
    }
}
