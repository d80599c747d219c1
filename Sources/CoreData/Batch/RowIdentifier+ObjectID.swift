import ObjectGraph
import StoreDeletion

extension NSPersistentStoreCoordinator {
    /// Returns the identifier of the object that is stored as a row.
    /// - Parameter row: the row, as a deletion plan or delegate reports it.
    /// - Returns: `nil` for a row of a store that is not open, or of an entity that the model lacks.
    public final func managedObjectID(for row: RowIdentifier) -> NSManagedObjectID? {
        guard core.stores.member(identifier: row.storeIdentifier) != nil,
            core.model.entity(named: row.entityName) != nil
        else { return nil }
        return NSManagedObjectID(row.objectID, core)
    }
}

extension RowIdentifier {
    /// Creates the identifier of the row that an object is stored as.
    /// - Parameter objectID: the identifier of a managed object.
    /// - Returns: `nil` for a temporary identifier.
    public init?(_ objectID: NSManagedObjectID) { self.init(objectID.id) }
}
