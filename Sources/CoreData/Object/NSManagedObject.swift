import Foundation
import FoundationAdditions
import ObjectGraph
import PredicateFormat

/// An object of a context, which is stored as a row once it is saved.
///
/// Properties are read and written by name, with `value(forKey:)` and `setValue(_:forKey:)`, or as properties of a subclass. An
/// object is used where its context is: on the context's queue.
///
/// A subclass that overrides `init(entity:insertInto:)` declares it `required`, because it also makes the objects of rows.
nonisolated open class NSManagedObject: NSObject, NSFetchRequestResult, SelfTypedManagedObject {
    // Every access to an object uses these two. They are read and written as a whole, never in place, so that accesses cannot
    // overlap and run-time exclusivity checks are not needed.
    /// The engine's record of the object.
    @exclusivity(unchecked)
    final package internal(set) var record: Record
    final let table: EntityTable
    /// Whether `awakeFromFetch` has run since the object was last a fault.
    @exclusivity(unchecked)
    final var isAwake: Bool
    /// Whether values can be read and written without preparation: the object is awake, and queues are not checked.
    @exclusivity(unchecked)
    private final var isReady = false
    /// Whether the object is a fault whose values are still in memory, see `rest()`.
    private final var isResting = false
    /// Whether `awakeFromFetch` is running; values set meanwhile are no changes.
    final var isAwakening = false
    /// Values that cannot be kept in a slot, by slot, with the slot's mark at the time they were set.
    final var valuesOutsideSlots: [Int: ValueOutsideSlot] = [:]
    /// The reasons for refused values, which were not of their property's type, by key.
    final var refusedValues: [String: String] = [:]
    /// For the scratch object of a batch insert: the slots with a value. `nil` for other objects.
    final var givenSlots: [Int]?
    /// Whether the row turned out to be missing, and the object counts as deleted until a context has it again.
    final var isInaccessible = false
    private final var knownID: NSManagedObjectID?

    struct ValueOutsideSlot {
        let object: Any
        let mark: Value
    }

    /// Creates an object of an entity.
    /// - Parameters:
    ///   - entity: an entity of the context's model that is not abstract. The process ends for an entity that the model lacks.
    ///   - context: the context that the object is inserted into; `nil` for an object to be inserted later.
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
        setDefaultValues()
        guard let context else { return }
        context.insertNew(self)
    }

    /// Creates an object of the entity that the context's model has for this class, and inserts it into the context.
    ///
    /// The process ends if the model has no such entity.
    /// - Parameter moc: a context with a coordinator.
    public required convenience init(context moc: NSManagedObjectContext) {
        ManagedClasses.register(Self.self)
        self.init(entity: moc.entity(for: Self.self), insertInto: Optional(moc))
    }

    /// Creates an object in no context: of the entity that a model in use has for this subclass, else of an entity without
    /// properties.
    public override convenience init() {
        let entity = Self.self == NSManagedObject.self ? nil : OpenModels.entity(for: Self.self)
        // Retained until the object is made: another thread may release the model.
        let model = entity?.model
        self.init(entity: model == nil ? PlainEntity.description : entity ?? PlainEntity.description, insertInto: nil)
        withExtendedLifetime(model) {}
    }

    /// Returns the entity that a model in use has for this class; an empty description if there is none.
    open class func entity() -> NSEntityDescription {
        ManagedClasses.register(self)
        return OpenModels.entity(for: self) ?? NSEntityDescription()
    }

    /// Returns a request for the objects of this class. A subclass's own method with this name and its own type is preferred.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    /// Registers the class, for models that name it without its module, and for classes that are private or nested.
    ///
    /// Classes of which the program has made an object are registered already.
    public static func register() {
        ManagedClasses.register(self)
    }

    /// A Boolean value that states whether changes of properties that the model lacks are no changes of the object. They never
    /// are here.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Identity

    /// The context of the object; `nil` for an object that was not inserted, and for one whose deletion was saved.
    open var managedObjectContext: NSManagedObjectContext? {
        record.graph?.face as? NSManagedObjectContext
    }

    /// The entity of the object.
    open var entity: NSEntityDescription { table.description }

    /// The identifier of the object, which is temporary before the first save.
    open var objectID: NSManagedObjectID {
        if let knownID, knownID.id == record.id { return knownID }
        let id = NSManagedObjectID(record.id, managedObjectContext?.core ?? knownID?.core, table.description)
        knownID = id
        return id
    }

    // MARK: State

    /// A Boolean value that states whether the next save inserts the object.
    open var isInserted: Bool { record.isInserted && !record.isDeleted }

    /// A Boolean value that states whether the object has unsaved edits and is neither inserted nor deleted.
    open var isUpdated: Bool { record.isUpdated && !record.isInserted && !record.isDeleted }

    /// A Boolean value that states whether the next save deletes the object, or whether its row was found missing. It is
    /// `false` again once the deletion was saved, or the object was inserted again.
    open var isDeleted: Bool { record.isDeleted || (isInaccessible && record.graph == nil) }

    /// A Boolean value that states whether the object is inserted, updated or deleted and not saved.
    open var hasChanges: Bool { record.hasChanges }

    /// A Boolean value that states whether a save would write a value of the object. Setting a property to its current value
    /// does not count.
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

    /// A Boolean value that states whether the values have not been read yet, or are to be read again.
    open var isFault: Bool { !isAwake || record.isFault }

    /// A number that is 0 for an object that is not a fault, and 1 for a fault.
    open var faultingState: UInt { isFault ? 1 : 0 }

    /// A text with the class, entity, identifier, and values in memory. It may contain personal data: for debugging only.
    open override var description: String {
        "<\(type(of: self))> (entity: \(entity.name ?? ""); id: \(record.id.uriText); data: \(describedValues))"
    }

    // MARK: Life cycle, overridden by subclasses

    /// Called after the object was inserted and has its default values.
    open func awakeFromInsert() {}

    /// Called after the object's values were read. Values that it sets are no changes.
    open func awakeFromFetch() {}

    /// Called after the object's values have changed because of an event other than a fetch.
    /// - Parameter flags: the events.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before the object is marked for deletion; its relationships are unchanged.
    open func prepareForDeletion() {}

    /// Called when a save begins. It may change the object, and is then called again.
    open func willSave() {}

    /// Called after a save, for deleted objects, too.
    open func didSave() {}

    /// Called before the object becomes a fault.
    open func willTurnIntoFault() {}
    /// Called after the object has become a fault.
    open func didTurnIntoFault() {}

    // MARK: Values, by name

    /// Returns the value of a property: numbers as `NSNumber`, texts as `String`, and so on; to-one relationships as objects,
    /// to-many relationships as sets of objects, or as `NSOrderedSet` if they are ordered.
    ///
    /// Properties of every managed object, such as `objectID`, can be read by name, too. A property that the entity does not
    /// have is passed to `value(forUndefinedKey:)`.
    /// - Parameter key: the name of the property.
    open func value(forKey key: String) -> Any? {
        guard let place = table[key] else { return unmodeledValue(forKey: key) }
        willRead(place)
        return currentValue(place)
    }

    /// Sets a property, and the other end of a relationship with it.
    ///
    /// A value that is not of the property's type is ignored and logged, and the next save throws 1550. A property that the
    /// entity does not have is passed to `setValue(_:forUndefinedKey:)`.
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the name of the property.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let place = table[key] else { return setUnmodeledValue(value, forKey: key) }
        willRead()
        set(value, place, key)
    }

    /// Called to read a property that the entity does not have. The process ends, unless a subclass overrides this.
    /// - Parameter key: the name.
    open func value(forUndefinedKey key: String) -> Any? {
        Misuse.unknownKey(key, of: self, "valueForUndefinedKey:")
    }

    /// Called to set a property that the entity does not have. The process ends, unless a subclass overrides this.
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the name.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        Misuse.unknownKey(key, of: self, "setValue:forUndefinedKey:")
    }

    /// Prepares the object for a primitive value to be read: a fault fires. Call it before `primitiveValue(forKey:)`.
    /// - Parameter key: the name of the property.
    open func willAccessValue(forKey key: String?) { willRead() }
    /// Does nothing; call it after `primitiveValue(forKey:)`.
    /// - Parameter key: the name of the property.
    open func didAccessValue(forKey key: String?) {}

    /// Begins a change by primitive setters. Call it before `setPrimitiveValue(_:forKey:)` if the value is to be a change.
    /// - Parameter key: the name of the property.
    open func willChangeValue(forKey key: String) {
        willRead()
        if !isAwakening { beginPrimitiveEdit(key) }
    }

    /// Ends a change by primitive setters: the other end of a relationship and undo get the new value.
    /// - Parameter key: the name of the property.
    open func didChangeValue(forKey key: String) {
        if !isAwakening { endPrimitiveEdit(key) }
    }

    /// Begins a change of a to-many relationship by primitive setters.
    /// - Parameters:
    ///   - inKey: the name of the relationship.
    ///   - inMutationKind: the kind of change, which has no effect.
    ///   - inObjects: the objects, which have no effect.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }

    /// Ends a change of a to-many relationship by primitive setters.
    /// - Parameters:
    ///   - inKey: the name of the relationship.
    ///   - inMutationKind: the kind of change, which has no effect.
    ///   - inObjects: the objects, which have no effect.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        didChangeValue(forKey: inKey)
    }

    // MARK: Validation, overridden by subclasses

    /// Validates a value by the model's rules for a property; an override may replace the value.
    ///
    /// Methods cannot be found by name here, so an override of this method with a case for the key replaces `validate<Key>`.
    /// - Parameters:
    ///   - value: the value, which may be replaced.
    ///   - key: the name of the property.
    /// - Throws: `CocoaError` 1550 to 1690. The save throws the error of an override unchanged.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try validateByModel(value, key)
    }

    /// Validates a value as the other method of this name does, for calls with a variable of the type that Apple's has.
    public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        var any: Any? = value
        try validateValue(&any, forKey: key)
        value = any.map { $0 as AnyObject }
    }

    /// Validates a new object before it is saved. Override it to check several properties together, and call `super`.
    /// - Throws: `CocoaError` 1550 to 1690; 1560 for several errors.
    open func validateForInsert() throws { try validateProperties() }

    /// Validates an edited object before it is saved. Override it to check several properties together, and call `super`.
    /// - Throws: `CocoaError` 1550 to 1690; 1560 for several errors.
    open func validateForUpdate() throws { try validateProperties() }

    /// Validates a deleted object before the deletion is saved.
    /// - Throws: `CocoaError` 1600 if a deny rule forbids the deletion; 1560 for several errors.
    open func validateForDelete() throws { try validateDeletion() }

    // MARK: Key-value observing, overridden by subclasses

    /// Returns an empty set. It is never called, because there is no key-value observing here; programs may override it.
    /// - Parameter key: the name of a property.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// Returns `false`. It is never called, because there is no key-value observing here; programs may override it.
    /// - Parameter key: the name of a property.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }

    // MARK: Waking up

    /// Makes the values readable: fires a fault, and calls `awakeFromFetch`.
    @inline(__always)
    final func willRead() {
        if !isReady || record.isFault { wake() }
    }

    /// Makes one property readable: a fault that has its value already stays a fault.
    @inline(__always)
    final func willRead(_ place: PropertyPlace) {
        if !isReady || record.isFault { wake(toRead: place.slots) }
    }

    /// The record, after making the value of a slot readable.
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

    /// The row is missing: the context's handler decides, once, whether the object counts as deleted.
    final func noteInaccessible(to context: NSManagedObjectContext?) {
        isAwake = true
        let id = NSManagedObjectID(record.id, context?.core)
        isInaccessible = context?.shouldHandleInaccessibleFault(self, for: id, triggeredByProperty: nil) ?? true
        let outcome = isInaccessible ? "it is taken for deleted" : "it is not taken for deleted"
        CoreDataLog.logger.warning("CoreData could not fulfill a fault for '\(record.id.uriText)'; \(outcome).")
    }

    final func turnIntoFault() {
        isAwake = false
        isReady = false
        isResting = false
        valuesOutsideSlots = [:]
        refusedValues = [:]
    }

    /// Turns the object into a fault that keeps its values in memory, because there is no row to read them from. Reading a
    /// value fires the fault without `awakeFromFetch()`, because nothing is fetched.
    final func rest() {
        isAwake = false
        isReady = false
        isResting = true
    }
}

/// The events other than a fetch by which an object's values change.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The number of the events.
    public let rawValue: UInt

    /// Creates events from their number.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
    /// An edit was undone or redone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 16)
    /// The object was refreshed with its edits kept.
    public static let refresh = NSSnapshotEventType(rawValue: 32)
    /// A merge policy has resolved a conflict.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

// Not Sendable, subclasses included: an object is used where its context is.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}

extension NSManagedObject: ObjectIDRepresentable {
    /// An object from before a `reset()`, or whose deletion was saved, keeps the identifier of its row.
    package var graphObjectID: ObjectID? { record.graph == nil && record.id.isTemporary ? nil : record.id }
}

extension NSManagedObject: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        table[key] == nil ? commonValue(forKey: key) ?? nil : value(forKey: key)
    }
}
