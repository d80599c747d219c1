import Foundation
import ObjectGraph
import Observation

/// A class whose instances a `ModelContext` can keep in a store. The `@Model` macro writes the conformance.
///
/// Models belong to the context they are inserted in or fetched by and are used only where that context is; hand their
/// `persistentModelID` across isolation instead.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The topmost model class of an inheritance chain.
    associatedtype Root: PersistentModel = Self

    /// Makes the object that stands for the row behind `backingData`.
    init(backingData: any BackingData<Self>)

    var persistentBackingData: any BackingData<Self> { get set }

    /// One entry per stored property of the class itself; inherited ones are not repeated.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    /// What generated accessors use. A class that keeps backing data itself need not declare it.
    var _$modelStorage: _ModelStorage { get }

    /// Gives the one record of an object to the storage that each class of an inheritance chain has.
    func _$share(_ storage: _ModelStorage)
}

extension PersistentModel {
    @inlinable
    public func _$share(_ storage: _ModelStorage) {}

    public var _$modelStorage: _ModelStorage {
        guard let storage = persistentBackingData._$storage else {
            // A wrong program, as nothing can be stored of it.
            fatalError(
                "'\(Self.self)' keeps backing data of another kind than 'createBackingData()' makes; keep what that returns."
            )
        }
        return storage
    }
}

extension PersistentModel {
    var record: Record { _$modelStorage.record }

    /// The record, once its context has taken in what others saved.
    private var currentRecord: Record {
        record.graph?.mergeWaitingChanges()
        // That may have made the model stand for another record.
        return record
    }

    /// The context the model belongs to: `nil` before it is inserted and once its deletion has been saved.
    ///
    /// What other contexts of the container have saved is taken in first.
    public var modelContext: ModelContext? { ModelContext.context(of: currentRecord) }

    /// The model's identity: temporary until its first save, then permanent.
    public var persistentModelID: PersistentIdentifier { PersistentIdentifier(record.id) }

    public var id: PersistentIdentifier { persistentModelID }

    /// Whether the model was inserted, edited or deleted since the last save.
    public var hasChanges: Bool {
        let record = record
        // Follows delete rules that may reach the model.
        _ = Graph.owner(of: record)
        return record.hasChanges
    }

    /// Whether the model goes at the next save. Once it went, this is `false` again and `modelContext` is `nil`.
    ///
    /// What other contexts of the container have saved is taken in first.
    public var isDeleted: Bool { currentRecord.isDeleted }

    /// Two models are equal when they stand for the same row.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs === rhs || lhs.record.id == rhs.record.id
    }

    /// By identity, which changes once, at the first save: do not keep unsaved models in sets across a save.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(record.id)
    }
}

extension PersistentModel {
    var member: Graph.Member { (record, self) }

    /// Makes the object stand for another record from now on.
    func redirect(to record: Record) {
        persistentBackingData = DefaultBackingData<Self>(record: record)
    }
}
