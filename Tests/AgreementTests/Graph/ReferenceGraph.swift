import ObjectGraph

/// The expected state of a graph in its simplest form: numbered objects, and for every end of every relationship the numbers of its
/// destinations. It has its own, slow implementation of the rules.
struct ReferenceGraph {
    let model: Model
    var current = State()
    private(set) var saved = State()

    struct State {
        var objects: [Int: Object] = [:]
        var ends: [End: [Int]] = [:]
        /// Ordered ends with an unspecified order: a member left and came back since the last save.
        var unordered: Set<End> = []
    }

    struct Object {
        let entity: Entity
        var number: Value = .null
        var isSaved = false
        var isDeleted = false
    }

    struct End: Hashable {
        let object: Int
        let relationship: String
    }

    init(model: Model) { self.model = model }

    // MARK: Reading

    var live: [Int] { current.objects.filter { !$0.value.isDeleted }.keys.sorted() }

    func isLive(_ object: Int) -> Bool { current.objects[object].map { !$0.isDeleted } ?? false }

    func entity(_ object: Int) -> Entity? { current.objects[object]?.entity }

    /// The destinations of the end as a user sees them: without deleted objects.
    func visible(_ object: Int, _ relationship: EntityRelationship) -> [Int] {
        (current.ends[End(object: object, relationship: relationship.name)] ?? []).filter(isLive)
    }

    // MARK: Editing

    mutating func insert(_ object: Int, _ entity: Entity, number: Value) {
        current.objects[object] = Object(entity: entity, number: number)
    }

    mutating func set(_ object: Int, _ relationship: EntityRelationship, to destinations: [Int]) {
        let end = End(object: object, relationship: relationship.name)
        for old in current.ends[end] ?? [] where !destinations.contains(old) { disconnect(object, relationship, old) }
        for new in destinations where !(current.ends[end] ?? []).contains(new) { connect(object, relationship, new) }
        if relationship.relationship.isOrdered {
            current.ends[end] = destinations
            current.unordered.remove(end)
        }
    }

    mutating func add(_ object: Int, _ relationship: EntityRelationship, _ other: Int) {
        connect(object, relationship, other)
    }

    mutating func remove(_ object: Int, _ relationship: EntityRelationship, _ other: Int) {
        disconnect(object, relationship, other)
    }

    private func back(_ relationship: EntityRelationship) -> EntityRelationship? { model.inverse(of: relationship) }

    private mutating func connect(_ object: Int, _ relationship: EntityRelationship, _ other: Int) {
        let end = End(object: object, relationship: relationship.name)
        if relationship.isToOne { for old in current.ends[end] ?? [] { disconnect(object, relationship, old) } }
        guard let inverse = back(relationship) else {
            // The key is on the member: it has one owner only.
            if !relationship.isToOne {
                for owner in current.objects.keys where owner != object { disconnect(owner, relationship, other) }
            }
            return append(other, to: end, relationship)
        }
        let otherEnd = End(object: other, relationship: inverse.name)
        if inverse.isToOne { for old in current.ends[otherEnd] ?? [] { disconnect(other, inverse, old) } }
        append(other, to: end, relationship)
        if otherEnd != end || other != object { append(object, to: otherEnd, inverse) }
    }

    private mutating func append(_ object: Int, to end: End, _ relationship: EntityRelationship) {
        if saved.ends[end]?.contains(object) == true { current.unordered.insert(end) }
        current.ends[end, default: []].append(object)
    }

    private mutating func disconnect(_ object: Int, _ relationship: EntityRelationship, _ other: Int) {
        current.ends[End(object: object, relationship: relationship.name)]?.removeAll { $0 == other }
        guard let inverse = back(relationship) else { return }
        current.ends[End(object: other, relationship: inverse.name)]?.removeAll { $0 == object }
    }

    // MARK: Deleting

    mutating func delete(_ roots: [Int]) {
        var doomed: [Int] = []
        var queue = roots.filter(isLive)
        while let next = queue.popLast() {
            guard isLive(next), let entity = entity(next) else { continue }
            current.objects[next]?.isDeleted = true
            doomed.append(next)
            for relationship in entity.relationships where relationship.relationship.deleteRule == .cascade {
                queue += visible(next, relationship)
            }
        }
        for object in doomed { clear(object) }
        for object in doomed where current.objects[object]?.isSaved == false { vanish(object) }
    }

    /// Survivors lose the object along its nullify relationships.
    private mutating func clear(_ object: Int) {
        for relationship in entity(object)?.relationships ?? []
        where relationship.relationship.deleteRule == .nullify {
            guard let inverse = back(relationship) else { continue }
            for survivor in visible(object, relationship) {
                current.ends[End(object: survivor, relationship: inverse.name)]?.removeAll { $0 == object }
            }
        }
    }

    /// Removes an unsaved object with all links to it.
    private mutating func vanish(_ object: Int) {
        current.objects[object] = nil
        current.ends = current.ends.filter { $0.key.object != object }.mapValues { $0.filter { $0 != object } }
    }

    /// Inserts an object pending deletion again, with the links whose other end still exists and is free. Links to objects pending
    /// deletion stay where a deny rule refuses that deletion.
    mutating func reinsert(_ object: Int) {
        guard current.objects[object]?.isDeleted == true, let entity = entity(object) else { return }
        current.objects[object]?.isDeleted = false
        for relationship in entity.relationships {
            guard let inverse = back(relationship) else { continue }
            let end = End(object: object, relationship: relationship.name)
            for other in current.ends[end] ?? [] {
                let otherEnd = End(object: other, relationship: inverse.name)
                let others = current.ends[otherEnd] ?? []
                if isLive(other), others.contains(object) { continue }
                if !isLive(other), inverse.relationship.deleteRule == .deny { continue }
                if isLive(other), !inverse.isToOne || others.isEmpty {
                    append(object, to: otherEnd, inverse)
                } else {
                    current.ends[end]?.removeAll { $0 == other }
                }
            }
        }
    }

    // MARK: Saving

    /// The reasons that refuse a save.
    struct Obstacles: Equatable {
        var denied: Set<End> = []
        var missing: Set<End> = []
        /// Lists with too few members, and with too many.
        var short: Set<End> = []
        var long: Set<End> = []
        var isEmpty: Bool { denied.isEmpty && missing.isEmpty && short.isEmpty && long.isEmpty }
    }

    func obstacles() -> Obstacles {
        var obstacles = Obstacles()
        for (number, object) in current.objects {
            for relationship in object.entity.relationships {
                let end = End(object: number, relationship: relationship.name)
                if object.isDeleted {
                    if relationship.relationship.deleteRule == .deny, !visible(number, relationship).isEmpty {
                        obstacles.denied.insert(end)
                    }
                } else if relationship.isToOne, !relationship.relationship.isOptional,
                    (current.ends[end] ?? []).isEmpty
                {
                    obstacles.missing.insert(end)
                } else if !relationship.isToOne {
                    judge((current.ends[end] ?? []).count, end, relationship.relationship, &obstacles)
                }
            }
        }
        return obstacles
    }

    /// Members pending deletion that were not nullified count: a deny rule refuses their deletion. An optional list may be empty
    /// whatever its minimum.
    private func judge(_ count: Int, _ end: End, _ rule: Relationship, _ obstacles: inout Obstacles) {
        if count < rule.minimumCount, !(rule.isOptional && count == 0) { obstacles.short.insert(end) }
        if rule.maximumCount > 0, count > rule.maximumCount { obstacles.long.insert(end) }
    }

    mutating func save() {
        current.objects = current.objects.filter { !$0.value.isDeleted }
        for object in current.objects.keys { current.objects[object]?.isSaved = true }
        current.ends = current.ends.filter { current.objects[$0.key.object] != nil }
        current.unordered = []
        saved = current
    }

    mutating func rollback() { current = saved }
}

extension ReferenceGraph.Obstacles: CustomStringConvertible {
    var description: String {
        [("denied", denied), ("missing", missing), ("short", short), ("long", long)].filter { !$0.1.isEmpty }
            .map { "\($0) \($1.map { "\($0.object).\($0.relationship)" }.sorted())" }.joined(separator: ", ")
    }
}
