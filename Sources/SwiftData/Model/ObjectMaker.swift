import ObjectGraph

/// Creates the objects of one model class.
protocol ObjectMaker: Sendable {
    /// Creates the object that represents the record.
    func object(from record: Record) -> AnyObject
}

/// Generic over all types that creating an object involves: a type found through another type's associated types is looked
/// up in a table each time, which takes as long as the rest.
private struct TypedObjectMaker<Model: PersistentModel, Backing: RecordBackingData>: ObjectMaker
where Backing.Model == Model {
    func object(from record: Record) -> AnyObject {
        Model(backingData: Backing(record: record))
    }
}

extension PersistentModel {
    static var objectMaker: any ObjectMaker { TypedObjectMaker<Self, DefaultBackingData<Self>>() }
}

/// Backing data over the engine's record.
protocol RecordBackingData<Model>: BackingData {
    init(record: Record)
}
