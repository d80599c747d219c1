/// Where rows are kept. A store has rows, keys and versions; it has no objects. What a store can do beyond reading, saving and
/// reporting what others saved are capabilities, which a store has or has not: `SetDeleting`, `DeletionArchiving`,
/// `RowBatching`.
///
/// Every call may come from any thread and returns when its work is done.
package protocol Store: RowReading, RowWriting, ChangeWatching {
    /// The store's UUID as upper-case text.
    var identifier: String { get }
    var model: Model { get }
    var isReadOnly: Bool { get }
    /// Whether transient attributes are kept like others, as a context does for its children.
    var keepsTransients: Bool { get }
}

extension Store {
    /// The identity of a row of this store.
    package func objectID(entity: Entity, key: Int64) -> ObjectID {
        ObjectID(space: .intern(storeIdentifier: identifier, entityName: entity.name), key: key)
    }
}
