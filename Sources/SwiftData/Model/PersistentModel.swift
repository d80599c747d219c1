import Foundation
import ObjectGraph
import Observation

/// A class whose instances a `ModelContext` can keep in a store. The `@Model` macro writes the conformance.
///
/// A model belongs to the context that it was inserted into or fetched by, and is used in that context's isolation only;
/// pass its `persistentModelID` across isolations instead.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The topmost model class of an inheritance chain.
    associatedtype Root: PersistentModel = Self

    /// Creates the object that represents a row.
    /// - Parameter backingData: The backing data of the row.
    init(backingData: any BackingData<Self>)

    /// The values of the model, separate from the object.
    var persistentBackingData: any BackingData<Self> { get set }

    /// The stored properties of the class itself, without inherited ones.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    /// The storage that generated accessors use. A class that keeps backing data itself need not declare it.
    var _$modelStorage: _ModelStorage { get }

    /// Gives the record of an object to the storage of each class of an inheritance chain. For generated code.
    /// - Parameter storage: The storage with the record.
    func _$share(_ storage: _ModelStorage)
}

extension PersistentModel {
    /// Does nothing, as a class without generated storage has nothing to share.
    /// - Parameter storage: The storage with the record.
    @inlinable
    public func _$share(_ storage: _ModelStorage) {}

    /// The storage of the backing data that the class keeps itself. Ends the process if that is of another kind than
    /// `createBackingData()` returns.
    public var _$modelStorage: _ModelStorage {
        guard let storage = persistentBackingData._$storage else {
            // A programming error, as nothing of such a model can be stored.
            fatalError(
                "'\(Self.self)' keeps backing data of another kind than 'createBackingData()' makes; keep what that returns."
            )
        }
        return storage
    }
}

extension PersistentModel {
    var record: Record { _$modelStorage.record }

    /// The record, after its context has merged the changes that other contexts saved.
    private var currentRecord: Record {
        record.graph?.mergeWaitingChanges()
        // Merging may have made the model represent another record.
        return record
    }

    /// The context that the model belongs to: `nil` before the model is inserted and after its deletion has been saved. The
    /// saves of the container's other contexts are merged first.
    public var modelContext: ModelContext? { ModelContext.context(of: currentRecord) }

    /// The identifier of the model: temporary before its first save, then permanent.
    public var persistentModelID: PersistentIdentifier { PersistentIdentifier(record.id) }

    /// The identifier of the model, `persistentModelID`.
    public var id: PersistentIdentifier { persistentModelID }

    /// Whether the model was inserted, edited or deleted since the last save.
    public var hasChanges: Bool {
        let record = record
        // Follows delete rules that may reach the model.
        _ = Graph.owner(of: record)
        return record.hasChanges
    }

    /// Whether the next save deletes the model. After that save it is `false`, and `modelContext` is `nil`. The saves of
    /// the container's other contexts are merged first.
    public var isDeleted: Bool { currentRecord.isDeleted }

    /// Returns whether two models represent the same row.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs === rhs || lhs.record.id == rhs.record.id
    }

    /// Hashes the model by its identifier, which changes once, at the first save: do not keep unsaved models in sets across
    /// a save.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(record.id)
    }
}

extension PersistentModel {
    var member: Graph.Member { (record, self) }

    /// Makes the object represent another record.
    func redirect(to record: Record) {
        persistentBackingData = DefaultBackingData<Self>(record: record)
    }
}
