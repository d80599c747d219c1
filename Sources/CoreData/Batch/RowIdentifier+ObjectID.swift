import ObjectGraph
import StoreDeletion

extension NSPersistentStoreCoordinator {
    /// The identifier of the object that is stored as the row.
    /// - Returns: `nil` for a row of a store that is not open, or of an entity that the model lacks.
    public final func managedObjectID(for row: RowIdentifier) -> NSManagedObjectID? {
        guard core.stores.member(identifier: row.storeIdentifier) != nil,
            core.model.entity(named: row.entityName) != nil
        else { return nil }
        return NSManagedObjectID(row.objectID, core)
    }
}

extension RowIdentifier {
    /// The row that an object is stored as.
    /// - Returns: `nil` for a temporary identifier.
    public init?(_ objectID: NSManagedObjectID) { self.init(objectID.id) }
}
