/// The engine's state of one object: where it lives, its values, what was edited.
///
/// A record belongs to one graph (or to none, before its object is inserted) and is used only where that graph is.
/// Relationships are kept as identifiers, never as references, so that records and their objects never keep each
/// other alive.
///
/// Its properties are on every path, so they are exempt from run-time exclusivity checks: a record is used in one
/// isolation only, and no code of the engine calls out while it changes one of them.
@usableFromInline
package final class Record {
    @exclusivity(unchecked) package internal(set) var id: ObjectID
    // The four bytes stand here because an identifier ends in the middle of a word: what follows it is padding.
    @exclusivity(unchecked) package internal(set) var status: Status
    @exclusivity(unchecked) private var isComplete: Bool
    /// Whether a graph had this new object already, so that what is left of its former life must be cleared first.
    @exclusivity(unchecked) var wasRegistered = false
    /// The version, but for rows that were saved very often.
    @exclusivity(unchecked) var smallVersion: UInt8
    @exclusivity(unchecked) package internal(set) var entity: Entity
    /// Current values in slot order; empty while the record is a fault.
    @exclusivity(unchecked) package internal(set) var values: SlotValues
    /// Weak in effect: a graph clears it in every record it leaves behind.
    @exclusivity(unchecked) private var owner: Unmanaged<Graph>?
    /// The face's object, held while the record is registered.
    @exclusivity(unchecked) package internal(set) var object: AnyObject?
    @usableFromInline @exclusivity(unchecked) var extras: RecordExtras?

    /// A record of a new object.
    package convenience init(newObjectOf entity: Entity) {
        self.init(new: .temporary(in: entity.temporarySpace), entity)
    }

    /// A record of an object that is new in another graph.
    /// - Parameter id: the identity that it has there; a temporary one serves here too.
    package convenience init(newObjectOf entity: Entity, knownAs id: ObjectID) {
        self.init(new: id.isTemporary ? id : .temporary(in: entity.temporarySpace), entity)
    }

    private init(new id: ObjectID, _ entity: Entity) {
        self.id = id
        self.entity = entity
        values = SlotValues(nulls: entity.slots.count)
        smallVersion = 0
        status = []
        isComplete = false
    }

    /// A fault.
    init(id: ObjectID, entity: Entity) {
        self.id = id
        self.entity = entity
        values = SlotValues()
        smallVersion = 0
        status = .fault
        isComplete = true
    }

    init(snapshot: consuming Snapshot, entity: Entity) {
        let version = snapshot.version
        id = snapshot.id
        self.entity = entity
        values = snapshot.values
        smallVersion = UInt8(exactly: version) ?? 0
        status = []
        isComplete = true
        if smallVersion != version { self.version = version }
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
        /// Is in its graph's list of touched objects.
        static let touched = Status(rawValue: 32)
        /// Waits for deletion because rules led there, not because it was asked for; says nothing of one that does not wait.
        static let deletedByRule = Status(rawValue: 64)
        /// The row is known to be newer than the values, which stay for as long as there is unsaved work on them.
        static let stale = Status(rawValue: 128)
        /// What its graph is about to do with it, or has noted of it.
        static let ofGraph: Status = [.inserted, .updated, .deleted, .touched, .deletedByRule, .stale]
    }

    /// The graph that the record is registered with.
    package internal(set) var graph: Graph? {
        get { owner?.takeUnretainedValue() }
        set { owner = newValue.map(Unmanaged.passUnretained) }
    }

    /// Whether any graph has the record; without counting a reference to it.
    var isRegistered: Bool { owner != nil }

    /// The object at the other end of a to-one relationship, if all that leads to it has been read; else
    /// `Graph.destinationObject(of:at:)` is to be asked. A program asks for this all the time, so no references are counted to
    /// what lies between.
    package func knownDestination(at slot: Int) -> AnyObject? {
        guard let owner, let id = reference(at: slot) else { return nil }
        return owner._withUnsafeGuaranteedRef { $0.isWaitingToResolve ? nil : $0.identityMap.object(of: id) }
    }

    /// Whether the object's initialiser is done, so that the object is known and its own class.
    // Not a stored property: other modules would check exclusivity where they reach one.
    package var isObjectComplete: Bool {
        get { isComplete }
        set { isComplete = newValue }
    }

    /// Whether links may wait for the object's initialiser. Inlined into initialisers, where they mostly do not.
    @inlinable package var mayHaveDeferredLinks: Bool { extras != nil }

    /// Whether the object's initialiser still runs and nobody has met the object yet; as it may still fail, nobody is to.
    package var isUnmet: Bool { !isComplete && !isRegistered }

    /// The object's initialiser is done.
    /// - Returns: whether links may wait for that.
    package func complete() -> Bool {
        isComplete = true
        return mayHaveDeferredLinks
    }

    /// Position of the entity in its model. There for the same reason.
    package var entityIndex: Int { entity.index }

    package var isFault: Bool { status.contains(.fault) }
    package var isInserted: Bool { status.contains(.inserted) }
    package var isUpdated: Bool { status.contains(.updated) }
    package var isDeleted: Bool { status.contains(.deleted) }
    package var isGone: Bool { status.contains(.gone) }
    package var hasChanges: Bool { !status.isDisjoint(with: [.inserted, .updated, .deleted]) }

    /// Whether there never was a row of it, even if it was given the identity of one.
    var wasNeverSaved: Bool { version == 0 && !isFault && !isGone }

    /// The value of a slot; fires a fault. `.null` when the row is gone and was never read.
    package func value(_ slot: Int) -> Value {
        if isFault { return valueOfFault(slot) }
        return slot < values.count ? values[slot] : .null
    }

    // A slot's value if that is known and of the kind; else `value(_:)` is to be asked. A fault has no slots.

    package func integer(at slot: Int) -> Int64? { values.integer(slot) }
    package func real(at slot: Int) -> Double? { values.real(slot) }
    package func text(at slot: Int) -> String? { values.text(slot) }
    func reference(at slot: Int) -> ObjectID? { values.reference(slot) }

    func fire() {
        if let graph { graph.fire(self) } else { fireWithoutGraph() }
    }

    /// Whether none of the slots has a value; fires a fault.
    func isNull(_ slots: Range<Int>) -> Bool {
        if isFault { fire() }
        for slot in slots where slot < values.count && !values[slot].isNull { return false }
        return true
    }

    /// Values of consecutive slots; fires a fault.
    package func values(_ slots: Range<Int>) -> Slice<SlotValues> {
        if isFault { return valuesOfFault(slots) }
        return slots.upperBound <= values.count ? values[slots] : SlotValues()[...]
    }

    /// Sets an attribute's slots. Equal values change nothing; an object whose row is gone ignores it.
    /// - Returns: whether anything changed.
    @discardableResult
    package func setValue(_ value: Value, at slot: Int) -> Bool {
        if isFault { fire() }
        if isFault { graph?.unsaved.unreadable.insert(id) }
        guard slot < values.count, !isGone, values[slot] != value else { return false }
        beginEdit()
        if let graph, graph.recordsUndo { graph.noteUndo(.value(self, slot: slot, old: values[slot])) }
        values[slot] = value
        return true
    }

    /// Sets a slot without anybody noticing: it is not saved for that.
    package func setUnnoticed(_ value: Value, at slot: Int) {
        if isFault { fire() }
        if slot < values.count { values[slot] = value }
    }

    /// Whether a to-many relationship was edited since the last save.
    package func isEdited(_ relationship: EntityRelationship) -> Bool {
        relationship.toManyIndex.map { members($0).isEdited } ?? false
    }

    /// Whether the members of a to-many relationship have been read.
    package func isRead(_ relationship: EntityRelationship) -> Bool {
        relationship.toManyIndex.map { members($0).isRead } ?? true
    }

    // Setting a slot while the object is being initialised; one that was there before, as made for a row, keeps its
    // values. With ways that need no `Value`, as every new object goes through these for every property. Until an object is
    // complete, nobody has a copy of its values.

    private func assertUnshared() { assert(isComplete || values.isUnshared(), "Somebody has a copy of the values.") }

    package func giveInitialValue(_ value: consuming Value, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, with: value) }
    }

    package func giveInitialValue(integer: Int64, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, integer: integer) }
    }

    package func giveInitialValue(real: Double, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, real: real) }
    }

    package func giveInitialValue(text: consuming String, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, text: text) }
    }

    /// Sets a slot of a record that no graph knows yet.
    package func initializeValue(_ value: Value, at slot: Int) {
        if slot < values.count { values[slot] = value }
    }

    /// A new object turns out to be of an entity below the one it was begun with.
    package func specialize(to entity: Entity) {
        guard entity !== self.entity, graph == nil, entity.slots.count >= values.count else { return }
        self.entity = entity
        id = .temporary(in: entity.temporarySpace)
        values.extend(to: entity.slots.count)
    }

    /// Takes what another record, begun for the same object, was given so far.
    package func takeInitialValues(of other: Record) {
        for (slot, value) in other.values.enumerated() where !value.isNull { initializeValue(value, at: slot) }
        for link in other.deferredLinks { deferLink(link) }
        for property in other.refusedProperties { refuse(property) }
    }

    /// Remembers the values as they are saved, and tells the graph.
    package func beginEdit() {
        guard let graph else { return lender?.willNotSave(id) ?? () }
        guard graph.tracksChanges else { return }
        graph.tellOfEdit()
        graph.edits.count &+= 1
        if graph.tracksTouched {
            graph.touch(self)
            graph.numberEdit(of: self)
        }
        if isInserted { return }
        if committed == nil { committed = values }
        graph.noteUpdated(self)
    }

}
