import Foundation
import ObjectGraph
import Observation

/// What a model object holds: its record. Generated accessors read and write through it.
public struct _ModelStorage {
    @usableFromInline private(set) var record: Record

    init(record: Record) {
        self.record = record
    }

    /// Storage of an object about to be initialised: the row being materialised on this thread, or a new record.
    public init(for modelClass: _ModelClass) {
        self.init(record: modelClass.withType { Materialization.record(for: $0) ?? Self.newRecord(of: $0) })
    }

    private static func newRecord(of type: ModelType) -> Record {
        guard let entity = type.standaloneEntity else {
            // A wrong program: two classes of one name are linked with each other, or a superclass is no model.
            fatalError(
                "The schema of '\(type.type)' cannot be built; make a ModelContainer for it to see why.")
        }
        return Record(newObjectOf: entity)
    }

    /// Storage of an object made for a row.
    @inlinable
    public init<M: PersistentModel>(_ backingData: any BackingData<M>) {
        if let own = backingData._$storage {
            self = own
        } else {
            self.init(for: _ModelClass(M.self))
        }
    }

    /// To read a property through, while the object whose storage this is lives.
    @inlinable
    public var reading: _ModelReading { _ModelReading(record: .passUnretained(record)) }

    public func backingData<M: PersistentModel>(for type: M.Type) -> any BackingData<M> {
        DefaultBackingData<M>(record: record)
    }

    /// Called by generated code when an initialiser is done: the record is of the object's own class from now on, and
    /// links made meanwhile take effect.
    ///
    /// Inlined where it is called: of a final class, next to nothing is left of it.
    @inlinable
    public func adopted<M: PersistentModel>(by model: M) -> _ModelStorage {
        if type(of: model) != M.self { specialize(for: type(of: model)) }
        model._$share(self)
        if complete() { applyDeferredLinks(of: model) }
        return self
    }

    /// A class below the one whose initialiser ran has an entity of its own.
    @usableFromInline
    func specialize(for type: any PersistentModel.Type) {
        guard !record.isObjectComplete, let entity = ModelType.of(type).standaloneEntity else { return }
        record.specialize(to: entity)
    }

    /// - Returns: whether links may wait for that.
    @usableFromInline
    func complete() -> Bool { record.complete() }

    @usableFromInline
    func applyDeferredLinks(of model: AnyObject) {
        Graph.applyDeferredLinks(of: (record, model))
    }

    /// Whether the record was there before the object, so that the object's initial values are not for it.
    var isMaterialized: Bool { record.isObjectComplete }

    /// Called by generated code for each class below the root: what was set before the root's initialiser ran moves into
    /// the root's record, unless that is a row's.
    public mutating func join(_ other: _ModelStorage) {
        guard other.record !== record else { return }
        if !isMaterialized, other.record.id.isTemporary { other.record.takeInitialValues(of: record) }
        self = other
    }
}
