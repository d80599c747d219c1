/// Stores rows. A store has rows, keys and versions, but no objects. Optional capabilities beyond reading, saving and
/// reporting changes by others have their own protocols; `Store+Capabilities` lists them.
///
/// Every call may come from any thread and returns when its work is done.
package protocol Store: RowReading, RowWriting, ChangeWatching {
    /// The store's UUID as upper-case text.
    var identifier: String { get }
    var model: Model { get }
    var isReadOnly: Bool { get }
    /// Whether transient attributes are stored like others, as a parent context does for its children.
    var storesTransients: Bool { get }
}

extension Store {
    /// Returns the identity of a row of this store.
    package func objectID(entity: Entity, key: Int64) -> ObjectID {
        ObjectID(space: .intern(storeIdentifier: identifier, entityName: entity.name), key: key)
    }
}
