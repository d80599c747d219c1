import ObjectGraph

/// Makes the objects of one model class.
protocol ObjectMaker: Sendable {
    /// The object that stands for the record.
    func object(from record: Record) -> AnyObject
}

/// Generic over all that making an object takes: types found by way of another type's associated types are looked up in
/// a table each time, which takes as long as the rest.
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
