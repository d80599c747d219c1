/// A change set that does not fit the store. Nothing was written.
package enum ChangeSetError: Error, Hashable {
    case unknownEntity(index: Int)
    case abstractEntity(String)
    case wrongValueCount(entity: String, expected: Int, found: Int)
    case unknownSlot(entity: String, slot: Int)
    case unknownRelationship(entity: String, index: Int)
    /// A reference to an object that is neither in this store nor in this change set.
    case unknownReference(entity: String, property: String, id: ObjectID)
    /// A row of another store, or one that was never saved.
    case notARow(ObjectID)
    /// The table's counter has reached its maximum; only a damaged file has such a counter.
    case keysExhausted(table: String)
}

extension ChangeSetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownEntity(let index): "The model has no entity number \(index); use the store's own model."
        case .abstractEntity(let name): "Entity '\(name)' is abstract and has no rows; insert one of its subentities."
        case .wrongValueCount(let entity, let expected, let found):
            "A row of '\(entity)' has \(expected) values, not \(found); use the store's own model."
        case .unknownSlot(let entity, let slot): "Entity '\(entity)' has no slot \(slot); use the store's own model."
        case .unknownRelationship(let entity, let index):
            "Entity '\(entity)' has no stored to-many relationship \(index); use the store's own model."
        case .unknownReference(let entity, let property, let id):
            "'\(entity).\(property)' refers to \(id), which is not in this store; insert it in the same save."
        case .keysExhausted(let table): "The key counter of \(table) is at its end; the file is damaged."
        case .notARow(let id): "\(id) is no row of this store; save it to the store it belongs to."
        }
    }
}
