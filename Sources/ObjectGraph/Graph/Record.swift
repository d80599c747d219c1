/// The engine's state of one object: its identity, values and edits.
///
/// A record belongs to one graph (to none before its object is inserted) and is used only in that graph's isolation.
/// Relationships are stored as identifiers instead of references, so that records and their objects do not keep each
/// other alive.
///
/// Its properties are used everywhere, so they are exempt from run-time exclusivity checks: a record is used in one
/// isolation only, and the engine calls no other code while it changes one of them.
@usableFromInline
package final class Record {
    @exclusivity(unchecked) package internal(set) var id: ObjectID
    // These four bytes fill the padding behind the identifier, which ends in the middle of a word.
    @exclusivity(unchecked) package internal(set) var status: Status
    @exclusivity(unchecked) private var isComplete: Bool
    /// Whether a context had this new object before, so that remains of that state must be cleared first.
    @exclusivity(unchecked) var wasRegistered = false
    /// The version, except for rows that were saved very often.
    @exclusivity(unchecked) var smallVersion: UInt8
    @exclusivity(unchecked) package internal(set) var entity: Entity
    /// Current values in slot order; empty while the record is a fault.
    @exclusivity(unchecked) package internal(set) var values: SlotValues
    /// Effectively weak: a graph clears it in every record that outlives it.
    @exclusivity(unchecked) private var owner: Unmanaged<Graph>?
    /// The face's object, retained while the record is registered.
    @exclusivity(unchecked) package internal(set) var object: AnyObject?
    @usableFromInline @exclusivity(unchecked) var extras: RecordExtras?

    /// Creates a record of a new object.
    package convenience init(newObjectOf entity: Entity) {
        self.init(new: .temporary(in: entity.temporarySpace), entity)
    }

    /// Creates a record of an object that is new in another graph.
    /// - Parameter id: Its identity in that graph; a temporary one is used here, too.
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

    /// Creates a fault.
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
        /// There is no row yet.
        package static let inserted = Status(rawValue: 2)
        /// Values or links were edited since the last save.
        package static let updated = Status(rawValue: 4)
        /// Pending deletion; `UnsavedChanges.PendingDeletes` has the causes.
        package static let deleted = Status(rawValue: 8)
        /// The row does not exist; the last values stay readable.
        package static let gone = Status(rawValue: 16)
        /// The record is in its graph's list of changed objects.
        static let inEvent = Status(rawValue: 32)
        /// The row is known to be newer than the values, which stay while there are unsaved changes to them.
        static let stale = Status(rawValue: 64)
        /// States that apply only within a graph.
        static let ofGraph: Status = [.inserted, .updated, .deleted, .inEvent, .stale]
    }

    /// The graph that the record is registered with.
    package internal(set) var graph: Graph? {
        get { owner?.takeUnretainedValue() }
        set { owner = newValue.map(Unmanaged.passUnretained) }
    }

    /// Whether any graph has the record. Does not retain the graph.
    var isRegistered: Bool { owner != nil }

    /// Whether this graph has the record. Does not retain it.
    func isRegistered(with graph: Graph) -> Bool { owner?.toOpaque() == Unmanaged.passUnretained(graph).toOpaque() }

    /// Returns the object at the other end of a to-one relationship, if it is known without reading; otherwise use
    /// `Graph.destinationObject(of:at:)`. Programs call this very often, so it retains none of the objects in between.
    package func knownDestination(at slot: Int) -> AnyObject? {
        guard let owner, let id = reference(at: slot) else { return nil }
        return owner._withUnsafeGuaranteedRef { $0.isWaitingToResolve ? nil : $0.identityMap.object(of: id) }
    }

    /// Whether the object's initializer has finished, so that the object is known and has its final class.
    // Not a stored property, because access from other modules would be checked for exclusivity.
    package var isObjectComplete: Bool {
        get { isComplete }
        set { isComplete = newValue }
    }

    /// Whether there may be links deferred until the object's initializer finishes. Inlined into initializers, where
    /// there are mostly none.
    @inlinable package var mayHaveDeferredLinks: Bool { extras != nil }

    /// Whether the object's initializer still runs and the object is not registered. As the initializer may still fail,
    /// no graph may register it.
    package var isInInitializer: Bool { !isComplete && !isRegistered }

    /// Records that the object's initializer has finished.
    /// - Returns: Whether there may be deferred links.
    package func complete() -> Bool {
        isComplete = true
        return mayHaveDeferredLinks
    }

    /// The position of the entity in its model. Computed for the same reason as `isObjectComplete`.
    package var entityIndex: Int { entity.index }

    package var isFault: Bool { status.contains(.fault) }
    package var isInserted: Bool { status.contains(.inserted) }
    package var isUpdated: Bool { status.contains(.updated) }
    package var isDeleted: Bool { status.contains(.deleted) }
    package var isGone: Bool { status.contains(.gone) }
    /// Whether its row, or the new object, is known to exist.
    var isPresent: Bool { status.isDisjoint(with: [.fault, .gone]) }
    package var hasChanges: Bool { !status.isDisjoint(with: [.inserted, .updated, .deleted]) }

    /// Whether a row never existed, even if its identity was reserved.
    var wasNeverSaved: Bool { version == 0 && !isFault && !isGone }

    /// Returns the value of a slot; fires a fault. `.null` if the row does not exist and was never read.
    package func value(_ slot: Int) -> Value {
        if isFault { return valueOfFault(slot) }
        return slot < values.count ? values[slot] : .null
    }

    // A slot's value, if it is known and has the type; otherwise use `value(_:)`. A fault has no slots.

    package func integer(at slot: Int) -> Int64? { values.integer(slot) }
    package func real(at slot: Int) -> Double? { values.real(slot) }
    package func text(at slot: Int) -> String? { values.text(slot) }
    func reference(at slot: Int) -> ObjectID? { values.reference(slot) }

    func fire() {
        if let graph { graph.fire(self) } else { fireWithoutGraph() }
    }

    /// Whether all of the slots are null; fires a fault.
    func isNull(_ slots: Range<Int>) -> Bool {
        if isFault { fire() }
        for slot in slots where slot < values.count && !values[slot].isNull { return false }
        return true
    }

    /// Returns the values of consecutive slots; fires a fault.
    package func values(_ slots: Range<Int>) -> Slice<SlotValues> {
        if isFault { return valuesOfFault(slots) }
        return slots.upperBound <= values.count ? values[slots] : SlotValues()[...]
    }

    /// Sets an attribute's slot. Has no effect for equal values, and for an object whose row does not exist.
    /// - Returns: Whether anything changed.
    @discardableResult
    package func setValue(_ value: Value, at slot: Int) -> Bool {
        if isFault { fire() }
        if isFault { graph?.unsaved.unreadable.insert(id) }
        guard slot < values.count, !isGone, values[slot] != value else { return false }
        beginEdit(PropertyMask(slot: slot))
        if let graph, graph.recordsUndo { graph.noteUndo(.value(self, slot: slot, old: values[slot])) }
        values[slot] = value
        return true
    }

    /// Sets a slot without notifications and without a change to save.
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

    // Setting a slot while the object is being initialized. An object made for a row keeps its values. These functions
    // avoid `Value`, because every new object calls them for every property. There is no copy of the values until the
    // object is complete.

    private func assertUnshared() { assert(isComplete || values.isUnshared(), "The values are shared.") }

    package func setInitialValue(_ value: consuming Value, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, with: value) }
    }

    package func setInitialValue(integer: Int64, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, integer: integer) }
    }

    package func setInitialValue(real: Double, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, real: real) }
    }

    package func setInitialValue(text: consuming String, at slot: Int) {
        assertUnshared()
        if !isComplete { values.refill(slot, text: text) }
    }

    /// Sets a slot of a record that no graph has yet.
    package func initializeValue(_ value: Value, at slot: Int) {
        if slot < values.count { values[slot] = value }
    }

    /// Sets the actual entity of a new object, a subentity of the one with which its initializer began.
    package func specialize(to entity: Entity) {
        guard entity !== self.entity, graph == nil, entity.slots.count >= values.count else { return }
        self.entity = entity
        id = .temporary(in: entity.temporarySpace)
        values.extend(to: entity.slots.count)
    }

    /// Copies the initial values from another record that was begun for the same object.
    package func copyInitialValues(of other: Record) {
        for (slot, value) in other.values.enumerated() where !value.isNull { initializeValue(value, at: slot) }
        for link in other.deferredLinks { deferLink(link) }
        for property in other.refusedProperties { refuse(property) }
    }

    /// Stores the saved values, and notifies the graph.
    /// - Parameter mask: The properties about to change.
    package func beginEdit(_ mask: PropertyMask = .all) {
        guard let graph else { return lender?.willNotSave(id) ?? () }
        guard graph.tracksChanges else { return }
        graph.log.followed?.note(self, mask)
        graph.notifyOfEdit(of: self, mask)
        graph.edits.count &+= 1
        if graph.tracksEventChanges {
            graph.noteEventChange(self)
            graph.numberEdit(of: self)
        }
        if isInserted { return }
        if committed == nil { committed = values }
        graph.noteUpdated(self)
    }

}
