import Foundation
import ObjectGraph
import Observation

/// What a model object holds: its record. Generated accessors read and write through it.
public struct _ModelStorage {
    @usableFromInline private(set) var record: Record

    @inlinable
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

    /// For use while the object lives whose storage this is.
    @inlinable
    public var borrowed: _BorrowedStorage { _BorrowedStorage(record: .passUnretained(record)) }

    public func backingData<M: PersistentModel>(for type: M.Type) -> any BackingData<M> {
        DefaultBackingData<M>(record: record)
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
