/// The engine's state of one object: where it lives, its values, what was edited.
///
/// A record belongs to one graph (or to none, before its object is inserted) and is used only where that graph is.
/// Relationships are kept as identifiers, never as references, so that records and their objects never keep each
/// other alive.
///
/// Values, status and observer are read by every property access. They are exempt from run-time exclusivity checks: a
/// record is used in one isolation only, and no code of the engine calls out while it changes one of them.
package final class Record {
    package internal(set) var id: ObjectID
    package internal(set) var entity: Entity
    /// Current values in slot order; empty while the record is a fault.
    @exclusivity(unchecked) package internal(set) var values: [Value]
    /// Values as last saved or read, once the record was edited.
    package internal(set) var committed: [Value]?
    package internal(set) var version: RowVersion
    @exclusivity(unchecked) package internal(set) var status: Status
    /// One per to-many relationship of the entity; empty until one is used.
    var toMany: [ToManyMembers] = []
    /// Weak in effect: a graph clears it in every record it leaves behind.
    @exclusivity(unchecked) package internal(set) unowned(unsafe) var graph: Graph?
    /// Keeps alive the graph of objects that were linked before any was inserted; `nil` otherwise.
    var island: Graph?
    /// The face's object, held while the record is registered.
    @exclusivity(unchecked) package internal(set) var object: AnyObject?
    /// Told of changes that no setter made; there only once somebody observes the object.
    @exclusivity(unchecked) package var observer: (any RecordObserver)?
    /// Whether the object's initialiser is done, so that the object is known and its own class.
    package var isObjectComplete: Bool
    /// Whether a graph had this new object already, so that what is left of its former life must be cleared first.
    var wasRegistered = false
    /// Links made before the object was known, for when it is.
    package var deferredLinks: [DeferredLink] = []

    /// A record of a new object.
    package init(newObjectOf entity: Entity) {
        id = .temporary(entityName: entity.name)
        self.entity = entity
        values = Array(repeating: .null, count: entity.slots.count)
        version = 0
        status = []
        isObjectComplete = false
    }

    /// A fault.
    init(id: ObjectID, entity: Entity) {
        self.id = id
        self.entity = entity
        values = []
        version = 0
        status = .fault
        isObjectComplete = true
    }

    init(snapshot: Snapshot, entity: Entity) {
        id = snapshot.id
        self.entity = entity
        values = snapshot.values
        version = snapshot.version
        status = []
        isObjectComplete = true
    }

    package struct Status: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Values have not been read.
        package static let fault = Status(rawValue: 1)
        /// Has no row yet.
        package static let inserted = Status(rawValue: 2)
        /// Values or links were edited since the last save.
        package static let updated = Status(rawValue: 4)
        /// Goes at the next save.
        package static let deleted = Status(rawValue: 8)
        /// The row is gone; last values stay readable.
        package static let gone = Status(rawValue: 16)
    }

    package var isFault: Bool { status.contains(.fault) }
    package var isInserted: Bool { status.contains(.inserted) }
    package var isUpdated: Bool { status.contains(.updated) }
    package var isDeleted: Bool { status.contains(.deleted) }
    package var isGone: Bool { status.contains(.gone) }
    package var hasChanges: Bool { !status.isDisjoint(with: [.inserted, .updated, .deleted]) }

    /// The value of a slot; fires a fault. `.null` when the row is gone and was never read.
    package func value(_ slot: Int) -> Value {
        if status.contains(.fault) { graph?.fire(self) }
        return slot < values.count ? values[slot] : .null
    }

    /// Values of consecutive slots; fires a fault.
    package func values(_ slots: Range<Int>) -> ArraySlice<Value> {
        if status.contains(.fault) { graph?.fire(self) }
        return slots.upperBound <= values.count ? values[slots] : []
    }

    /// Sets an attribute's slots. Equal values change nothing; an object whose row is gone ignores it.
    /// - Returns: whether anything changed.
    @discardableResult
    package func setValue(_ value: Value, at slot: Int) -> Bool {
        if status.contains(.fault) { graph?.fire(self) }
        if status.contains(.fault) { graph?.unreadable.insert(id) }
        guard slot < values.count, !isGone, values[slot] != value else { return false }
        beginEdit()
        if let graph, graph.recordsUndo { graph.noteUndo(.value(self, slot: slot, old: values[slot])) }
        values[slot] = value
        return true
    }

    /// Sets a slot of a record that no graph knows yet.
    package func initializeValue(_ value: Value, at slot: Int) {
        if slot < values.count { values[slot] = value }
    }

    /// A new object turns out to be of an entity below the one it was begun with.
    package func specialize(to entity: Entity) {
        guard entity !== self.entity, graph == nil, entity.slots.count >= values.count else { return }
        self.entity = entity
        id = .temporary(entityName: entity.name)
        values += Array(repeating: .null, count: entity.slots.count - values.count)
    }

    /// Takes what another record, begun for the same object, was given so far.
    package func takeInitialValues(of other: Record) {
        for (slot, value) in other.values.enumerated() where !value.isNull { initializeValue(value, at: slot) }
        deferredLinks += other.deferredLinks
    }

    /// Remembers the values as they are saved, and tells the graph.
    func beginEdit() {
        guard let graph, graph.tracksChanges else { return }
        graph.tellOfEdit()
        if isInserted { return }
        if committed == nil { committed = values }
        graph.noteUpdated(self)
    }

    func members(_ index: Int) -> ToManyMembers {
        index < toMany.count ? toMany[index] : ToManyMembers()
    }

    func withMembers<Result>(_ index: Int, _ body: (inout ToManyMembers) -> Result) -> Result {
        while toMany.count <= index { toMany.append(ToManyMembers()) }
        return body(&toMany[index])
    }
}

/// Watches one record for its face.
package protocol RecordObserver: AnyObject {
    /// A relationship (or, with `nil`, anything) is about to change without its setter having been called: inverse
    /// upkeep, rollback, merge.
    func willChange(_ record: Record, relationship: EntityRelationship?)
    func didChange(_ record: Record, relationship: EntityRelationship?)
}

/// A link asked for before the owner's object was known.
package struct DeferredLink {
    package let relationshipIndex: Int
    /// The destinations' records, with the objects that keep them alive.
    package let destinations: [(record: Record, object: AnyObject)]

    package init(relationshipIndex: Int, destinations: [(record: Record, object: AnyObject)]) {
        self.relationshipIndex = relationshipIndex
        self.destinations = destinations
    }
}
