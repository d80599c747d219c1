import Foundation
import ObjectGraph

/// A model's storage as its accessors use it: no reference to the record is counted, as that alone would be a good part of
/// what a read costs. For use while the object lives, whose storage keeps the record. What may run code of the program's,
/// which could exchange the storage, takes a reference first.
public struct _BorrowedStorage {
    @usableFromInline let kept: Unmanaged<Record>

    @inlinable
    init(record: Unmanaged<Record>) { kept = record }

    @inlinable
    var record: Record { kept.takeUnretainedValue() }

    @inline(__always)
    private func reading<Result>(_ body: (Record) -> Result) -> Result { kept._withUnsafeGuaranteedRef(body) }
}

// MARK: The end of initialisers

extension _BorrowedStorage {
    /// Called by generated code when an initialiser is done: the record is of the object's own class from now on, and
    /// links made meanwhile take effect.
    ///
    /// Inlined where it is called: of a final class, next to nothing is left of it.
    @inlinable
    public func adopt<M: PersistentModel>(_ model: M) {
        if type(of: model) != M.self { specialize(for: type(of: model)) }
        model._$share(_ModelStorage(record: record))
        if complete() { applyDeferredLinks(of: model) }
    }

    /// A class below the one whose initialiser ran has an entity of its own.
    @usableFromInline
    func specialize(for type: any PersistentModel.Type) {
        let record = record
        guard !record.isObjectComplete, let entity = ModelType.of(type).standaloneEntity else { return }
        record.specialize(to: entity)
    }

    /// - Returns: whether links may wait for that.
    @usableFromInline
    func complete() -> Bool { reading { $0.complete() } }

    @usableFromInline
    func applyDeferredLinks(of model: AnyObject) {
        Graph.applyDeferredLinks(of: (record, model))
    }
}

// MARK: Observation

extension _BorrowedStorage {
    /// Notes that a property is read, if anybody watches. Inlined where it is called, so that the usual read asks that one
    /// question and makes no key path.
    @inlinable
    public func access<M: PersistentModel, V>(_ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>) {
        if isWatched { noteRead(keyPath()) }
    }

    @usableFromInline
    var isWatched: Bool { ObservationScope.isActive }

    @usableFromInline
    func noteRead(_ keyPath: AnyKeyPath) {
        let record = record
        let observer = record.modelObserver ?? ModelObserver()
        record.observer = observer
        observer.access(keyPath)
    }
}

// MARK: Attributes

// The types that most models consist of have overloads of their own, so that a property costs no generics, and what a slot
// mostly holds comes without a `Value` in between.

extension _BorrowedStorage {
    public func get(_ slot: _ModelSlot) -> String { text(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> String? { text(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Int { integer(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Int? { integer(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Double { real(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Double? { real(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Bool { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Bool? { scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Date { date(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Date? { date(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> UUID { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> UUID? { scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Data { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Data? { scalar(slot) }
    // Not Codable.
    public func get(_ slot: _ModelSlot) -> Character { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Character? { scalar(slot) }

    @inline(__always)
    private func text(_ slot: _ModelSlot) -> String? { reading { $0.text(at: slot.first) } }

    @inline(__always)
    private func integer(_ slot: _ModelSlot) -> Int? {
        reading { $0.integer(at: slot.first) }.map(Int.init(truncatingIfNeeded:))
    }

    @inline(__always)
    private func real(_ slot: _ModelSlot) -> Double? { reading { $0.real(at: slot.first) } }

    @inline(__always)
    private func date(_ slot: _ModelSlot) -> Date? { real(slot).map(Date.init(timeIntervalSinceReferenceDate:)) }

    /// Of whatever kind the slot's value is; fires a fault.
    @inline(__always)
    private func scalar<S: ScalarValue>(_ slot: _ModelSlot) -> S? { S(slotValue: record.value(slot.first)) }

    /// Everything else that can be stored goes through the property's codec.
    @_disfavoredOverload
    public func get<V: Codable>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    public func getTransformable<V>(_ slot: _ModelSlot) -> V {
        slot.property.codec?.decoded(record.values(slot.property.slots), as: V.self) ?? missing(slot)
    }

    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    public func get<V>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    /// A value for a property whose row has none: the property's default, else a harmless one of its type. Rows like
    /// that come from other programs, or are gone.
    private func missing<V>(_ slot: _ModelSlot) -> V {
        if let value = slot.property.defaultValue as? V { return value }
        if let value = slot.property.codec?.placeholderValue(as: V.self) { return value }
        // Nothing can be made up for a type of which no value is known; give the property a default to be safe.
        fatalError(
            "'\(record.entity.name).\(slot.property.name)' of \(record.id) has no value of its type in the store. "
                + "Give the property a default value or make it optional.")
    }
}

// MARK: Relationships

extension _BorrowedStorage {
    @inlinable
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D? {
        guard let object = destination(slot) else { return nil }
        // Comparing classes is much cheaper than a cast, and mostly enough.
        return type(of: object) == D.self ? unsafeDowncast(object, to: D.self) : object as? D
    }

    @usableFromInline
    func destination(_ slot: _ModelSlot) -> AnyObject? {
        if let object = reading({ $0.knownDestination(at: slot.first) }) { return object }
        let record = record
        guard let graph = Graph.owner(of: record) else { return deferred(slot).first?.object }
        return graph.destinationObject(of: record, at: slot.first)
    }

    /// A required destination that is missing (its row was deleted by someone else) is stood in for by an empty model
    /// that no context knows.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D {
        if let destination: D = get(slot) { return destination }
        return D.makeDetached()
    }

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D] {
        let record = record
        guard let graph = Graph.owner(of: record), let relationship = slot.relationship(of: record) else {
            return deferred(slot).compactMap { $0.object as? D }
        }
        return graph.listedMembers(of: record, relationship).compactMap { graph.model(of: $0, as: D.self) }
    }

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D]? {
        let members: [D] = get(slot)
        return members
    }

    /// Links of an object that no graph knows: those made so far, or none where its context is gone.
    private func deferred(_ slot: _ModelSlot) -> [(record: Record, object: AnyObject)] {
        if !record.id.isTemporary, !record.isGone {
            ModelContext.logger.error(
                """
                '\(record.entity.name).\(slot.property.name)' of \(record.id) reads as empty: the context of the model is \
                gone. Keep a context for as long as its models are used.
                """)
        }
        return record.deferredLinks.first { $0.relationshipIndex == slot.relationshipIndex }?.destinations
            ?? []
    }
}

extension Graph {
    /// The model of a record, if it is of the type.
    func model<M: PersistentModel>(of record: Record, as type: M.Type) -> M? {
        guard let object = object(of: record), Graph.isModel(object, type) else { return nil }
        return unsafeDowncast(object, to: type)
    }

    static func isModel<M: PersistentModel>(_ object: AnyObject, _ type: M.Type) -> Bool {
        // Comparing classes is much cheaper than a cast, and mostly enough.
        Swift.type(of: object) == type || object is M
    }
}
