import Foundation
import FoundationAdditions
import ObjectGraph
import PredicateFormat

/// An object of a context: a row, or what will be one.
///
/// Properties are read and written by name, through `value(forKey:)` and `setValue(_:forKey:)`; a subclass may declare
/// properties that do so. An object is used where its context is.
///
/// Subclasses that override `init(entity:insertInto:)` declare it `required`, as it is what makes an object for a row.
nonisolated open class NSManagedObject: NSObject, NSFetchRequestResult, SelfTypedManagedObject {
    // Every access to an object passes through these two. They are read and written whole, never in place, so that no access
    // lasts while another one begins: there is nothing to check at run time.
    /// The engine's state of the object.
    @exclusivity(unchecked)
    final package internal(set) var record: Record
    final let table: EntityTable
    /// Whether `awakeFromFetch` has run since the object was last a fault.
    @exclusivity(unchecked)
    final var isAwake: Bool
    /// Whether there is nothing to be done before values are read or written: the object is awake, and nobody wants to know
    /// who uses it.
    @exclusivity(unchecked)
    private final var isReady = false
    /// Whether the object is a fault whose values are still in memory, see `rest()`.
    private final var isResting = false
    /// Whether what is set now is part of waking up, which is no change.
    final var isAwakening = false
    /// Values that have no form in a slot, by slot, with what the slot had when they were set.
    final var looseValues: [Int: LooseValue] = [:]
    /// Values that were refused as they are not of their property's type, with the reason, by key.
    final var refusedValues: [String: String] = [:]
    /// Of the object that a batch insert fills row after row: the slots that were given a value. `nil` for any other.
    final var givenSlots: [Int]?
    /// Whether the row turned out to be gone when it was to be read.
    final var isInaccessible = false
    private final var knownID: NSManagedObjectID?

    struct LooseValue {
        let object: Any
        let mark: Value
    }

    /// A new object.
    /// - Parameters:
    ///   - entity: one of the context's model, and not abstract.
    ///   - context: `nil` for an object that is to be inserted later.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        if let made = Materialization.take(for: Self.self) {
            record = made.record
            table = made.table
            isAwake = made.table.recorder != nil
            super.init()
            return
        }
        let table = context?.table(of: entity) ?? StandaloneTables.table(of: entity)
        self.table = table
        record = Record(newObjectOf: table.entity)
        isAwake = true
        super.init()
        takeDefaults()
        guard let context else { return }
        context.insertNew(self)
    }

    /// A new object of the entity that the context's model has for this class.
    public required convenience init(context moc: NSManagedObjectContext) {
        ManagedClasses.register(Self.self)
        self.init(entity: moc.entity(for: Self.self), insertInto: Optional(moc))
    }

    /// An object outside of every context: of the entity that a model in use has for this subclass, else of one without
    /// properties.
    public override convenience init() {
        let entity = Self.self == NSManagedObject.self ? nil : OpenModels.entity(for: Self.self)
        // Held until the object is made: the model may be let go of on another thread.
        let model = entity?.model
        self.init(entity: model == nil ? PlainEntity.description : entity ?? PlainEntity.description, insertInto: nil)
        withExtendedLifetime(model) {}
    }

    /// The entity that a model in use has for this class; an entity without a name when there is none.
    open class func entity() -> NSEntityDescription {
        ManagedClasses.register(self)
        return OpenModels.entity(for: self) ?? NSEntityDescription()
    }

    /// A request for the objects of this class. A subclass's own method of this name, with its own type, is preferred.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    /// Makes the class known, for models that name it without its module, or for classes that are private or nested. Classes
    /// that a program has made an object of are known already.
    public static func register() {
        ManagedClasses.register(self)
    }

    /// Whether changes of properties that the model does not have are no changes of the object; they never are here.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Identity

    /// `nil` for an object that was not inserted, and for one whose deletion is saved.
    open var managedObjectContext: NSManagedObjectContext? {
        record.graph?.face as? NSManagedObjectContext
    }

    open var entity: NSEntityDescription { table.description }

    /// Temporary before the first save.
    open var objectID: NSManagedObjectID {
        if let knownID, knownID.id == record.id { return knownID }
        let id = NSManagedObjectID(record.id, managedObjectContext?.core ?? knownID?.core, table.description)
        knownID = id
        return id
    }

    // MARK: State

    /// Waits for its first save.
    open var isInserted: Bool { record.isInserted && !record.isDeleted }

    /// Has changes that are not saved.
    open var isUpdated: Bool { record.isUpdated && !record.isInserted && !record.isDeleted }

    /// Goes at the next save, or was found to be gone. False again once the deletion is saved.
    open var isDeleted: Bool { record.isDeleted || isInaccessible }

    /// Waits for a save in any way.
    open var hasChanges: Bool { record.hasChanges }

    /// Whether a save would write anything of the object: setting a value that was there already does not count.
    open var hasPersistentChangedValues: Bool {
        if record.isInserted { return true }
        let committed = record.committed ?? record.values
        for place in table.attributes where !place.attribute.attribute.isTransient {
            if place.attribute.slots.contains(where: { slot in differs(slot, committed) }) { return true }
        }
        return record.entity.relationships.contains { relationship in
            relationship.slot.map { differs($0, committed) } ?? record.isEdited(relationship)
        }
    }

    /// Whether the values are still to be read, or to be read again.
    open var isFault: Bool { !isAwake || record.isFault }

    /// 0 for an object that is not a fault.
    open var faultingState: UInt { isFault ? 1 : 0 }

    /// Class, entity, identifier, and the values that are in memory. It may contain personal data: for debugging only.
    open override var description: String {
        "<\(type(of: self))> (entity: \(entity.name ?? ""); id: \(record.id.uriText); data: \(describedValues))"
    }

    // MARK: Life cycle, to be overridden

    /// The object was inserted; its defaults are set.
    open func awakeFromInsert() {}

    /// The object's values were read. What is set here is no change.
    open func awakeFromFetch() {}

    /// Values came back by something other than a fetch.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// The object is about to be marked for deletion; its relationships are as they were.
    open func prepareForDeletion() {}

    /// A save has begun. May change the object; it is then called again.
    open func willSave() {}

    /// A save is done; called for deleted objects too.
    open func didSave() {}

    open func willTurnIntoFault() {}
    open func didTurnIntoFault() {}

    // MARK: Values, by name

    /// The value of a property: numbers as `NSNumber`, texts as `String`, and so on; to-one relationships as objects, to-many
    /// ones as sets of objects, or as `NSOrderedSet` where they are ordered.
    ///
    /// What every managed object has, such as `objectID`, has its name too. A property that the entity does not have goes to
    /// `value(forUndefinedKey:)`.
    open func value(forKey key: String) -> Any? {
        guard let place = table[key] else { return unmodeledValue(forKey: key) }
        willRead(place)
        return currentValue(place)
    }

    /// Sets a property. The other end of a relationship is set with it.
    ///
    /// A value that is not of the property's type is not taken: the log says so, and the next save fails with 1550. A
    /// property that the entity does not have goes to `setValue(_:forUndefinedKey:)`.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let place = table[key] else { return setUnmodeledValue(value, forKey: key) }
        willRead()
        set(value, place, key)
    }

    /// Called for a key that the entity does not have. Ends the process unless a subclass knows better.
    open func value(forUndefinedKey key: String) -> Any? {
        Misuse.unknownKey(key, of: self, "valueForUndefinedKey:")
    }

    /// Called for a key that the entity does not have. Ends the process unless a subclass knows better.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        Misuse.unknownKey(key, of: self, "setValue:forUndefinedKey:")
    }

    /// To be called before a primitive value is read.
    open func willAccessValue(forKey key: String?) { willRead() }
    open func didAccessValue(forKey key: String?) {}

    /// To be called before a primitive value is set that is meant as a change.
    open func willChangeValue(forKey key: String) {
        willRead()
        if !isAwakening { beginPrimitiveEdit(key) }
    }

    /// To be called after it: the other end of a relationship and undo learn of the new value.
    open func didChangeValue(forKey key: String) {
        if !isAwakening { endPrimitiveEdit(key) }
    }

    /// To be called before members of a to-many relationship change by primitive means.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }

    /// The same, after.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        didChangeValue(forKey: inKey)
    }

    // MARK: Validation, to be overridden

    /// Whether a value may be saved; may put another one in its place.
    ///
    /// Classes here have no methods by name, so what would be `validate<Key>` is an override of this one.
    /// - Throws: `CocoaError` 1550 to 1690.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try validateByModel(value, key)
    }

    /// - Throws: `CocoaError`, 1560 for several.
    open func validateForInsert() throws { try validateProperties() }

    /// - Throws: `CocoaError`, 1560 for several.
    open func validateForUpdate() throws { try validateProperties() }

    /// - Throws: `CocoaError` 1600 while a relationship denies the delete.
    open func validateForDelete() throws { try validateDeletion() }

    // MARK: Key-value observing, to be overridden

    /// Never called, as there is no key-value observing here; declared so that programs can override it.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// Never called, as there is no key-value observing here; declared so that programs can override it.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

    // MARK: Waking up

    /// Makes the values readable: reads the row of a fault, and wakes the object up.
    @inline(__always)
    final func willRead() {
        if !isReady || record.isFault { wake() }
    }

    /// The same for one property: a fault that carries its value stays one.
    @inline(__always)
    final func willRead(_ place: PropertyPlace) {
        if !isReady || record.isFault { wake(toRead: place.slots) }
    }

    /// The record, the slot's value readable.
    @inline(__always)
    final func record(toRead slot: Int) -> Record {
        let record = record
        if isReady, !record.isFault { return record }
        wake(toRead: slot..<slot + 1)
        return self.record
    }

    private final func wake(toRead slots: Range<Int>) {
        if !record.carries(slots) { wake() }
    }

    final func wake() {
        let record = record
        let graph = Graph.owner(of: record)
        if QueueCheck.isOn { (graph?.face as? NSManagedObjectContext)?.checkQueue("An object was used") }
        if record.isFault {
            graph?.fire(record)
            isAwake = false
            isResting = false
        }
        isReady = !record.isFault && !QueueCheck.isOn
        if record.isFault { return }
        guard !isAwake else { return }
        isAwake = true
        if record.isGone {
            noteInaccessible(to: graph?.face as? NSManagedObjectContext)
        } else {
            if isResting { return isResting = false }
            isAwakening = true
            awakeFromFetch()
            isAwakening = false
        }
    }

    private final func noteInaccessible(to context: NSManagedObjectContext?) {
        let id = NSManagedObjectID(record.id, context?.core)
        isInaccessible = context?.shouldHandleInaccessibleFault(self, for: id, triggeredByProperty: nil) ?? true
        let outcome = isInaccessible ? "it is taken for deleted" : "its values are nil"
        CoreDataLog.logger.warning("CoreData could not fulfill a fault for '\(record.id.uriText)'; \(outcome).")
    }

    final func turnIntoFault() {
        isAwake = false
        isReady = false
        isResting = false
        looseValues = [:]
        refusedValues = [:]
    }

    /// Turns the object into a fault that keeps its values in memory, as there is no row to read them from. Reading one fires
    /// the fault without `awakeFromFetch()`, as nothing is fetched.
    final func rest() {
        isAwake = false
        isReady = false
        isResting = true
    }
}

/// Why an object is told that it has other values.
public struct NSSnapshotEventType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
    public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
    public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
    public static let rollback = NSSnapshotEventType(rawValue: 16)
    public static let refresh = NSSnapshotEventType(rawValue: 32)
    public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

// Says that it is not, to subclasses too: it is used where its context is.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}

extension NSManagedObject: ObjectIDRepresentable {
    /// An object from before a `reset()`, or whose deletion was saved, keeps the identity of its row.
    package var graphObjectID: ObjectID? { record.graph == nil && record.id.isTemporary ? nil : record.id }
}

extension NSManagedObject: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        table[key] == nil ? commonValue(forKey: key) ?? nil : value(forKey: key)
    }
}
