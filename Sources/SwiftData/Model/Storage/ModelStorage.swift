import Foundation
import ObjectGraph
import Observation

/// The storage of a model object: its record. Generated accessors use it.
public struct _ModelStorage {
    @usableFromInline private(set) var record: Record

    @inlinable
    init(record: Record) {
        self.record = record
    }

    /// Creates the storage of an object about to be initialized: for the row being materialized on this thread, or with a
    /// new record.
    /// - Parameter modelClass: The class of the object.
    public init(for modelClass: _ModelClass) {
        self.init(record: modelClass.withType { Materialization.record(for: $0) ?? Self.newRecord(of: $0) })
    }

    private static func newRecord(of type: ModelType) -> Record {
        guard let entity = type.standaloneEntity else {
            // A programming error: two classes of one name are linked with each other, or a superclass is not a model.
            fatalError(
                "The schema of '\(type.type)' cannot be built; make a ModelContainer for it to see why.")
        }
        return Record(newObjectOf: entity)
    }

    /// Creates the storage of an object made for a row.
    /// - Parameter backingData: The backing data of the row.
    @inlinable
    public init<M: PersistentModel>(_ backingData: any BackingData<M>) {
        if let own = backingData._$storage {
            self = own
        } else {
            self.init(for: _ModelClass(M.self))
        }
    }

    /// The storage for accessors, without a counted reference. Valid while the object is alive.
    @inlinable
    public var borrowed: _BorrowedStorage { _BorrowedStorage(record: .passUnretained(record)) }

    /// Returns backing data over the storage.
    /// - Parameter type: The class of the model.
    public func backingData<M: PersistentModel>(for type: M.Type) -> any BackingData<M> {
        DefaultBackingData<M>(record: record)
    }

    /// Whether the record existed before the object, so that the object's initial values are not written to it.
    var isMaterialized: Bool { record.isObjectComplete }

    /// Makes a subclass's storage share the root class's record, and moves values set before the root's initializer ran
    /// into it unless it is a row's. For generated code.
    /// - Parameter other: The storage of the root class.
    public mutating func join(_ other: _ModelStorage) {
        guard other.record !== record else { return }
        if !isMaterialized, other.record.id.isTemporary { other.record.copyInitialValues(of: record) }
        self = other
    }
}
