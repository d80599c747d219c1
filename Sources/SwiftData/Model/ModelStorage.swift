import Foundation
import ObjectGraph
import Observation

/// What a model object holds: its record. Generated accessors read and write through it.
public struct _ModelStorage {
    let record: Record

    init(record: Record) {
        self.record = record
    }

    /// Storage of an object about to be initialised: the row being materialised on this thread, or a new record.
    public init<M: PersistentModel>(for type: M.Type) {
        if let record = Materialization.takeRecord() {
            self.init(record: record)
        } else if let entity = ModelType.of(type).standaloneEntity {
            self.init(record: Record(newObjectOf: entity))
        } else {
            // A wrong program: two classes of one name are linked with each other, or a superclass is no model.
            fatalError("The schema of '\(type)' cannot be built; make a ModelContainer for it to see why.")
        }
    }

    /// Storage of an object made for a row.
    public init<M: PersistentModel>(_ backingData: any BackingData<M>) {
        if let own = backingData as? any RecordBacked {
            self.init(record: own.record)
        } else {
            self.init(for: M.self)
        }
    }

    public func backingData<M: PersistentModel>(for type: M.Type) -> any BackingData<M> {
        DefaultBackingData<M>(record: record)
    }

    /// Called by generated code when an initialiser is done: links made meanwhile take effect.
    public func adopt<M: PersistentModel>(_ model: M) {
        if !record.deferredLinks.isEmpty { Graph.applyDeferredLinks(of: (record, model)) }
    }
}
