import Foundation
import ObjectGraph

extension NSEntityDescription {
    /// Returns the entity with a name in the model of a context.
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - context: a context with a coordinator.
    /// - Returns: `nil` if the model has no such entity.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.core.tables.table(named: entityName)?.description
    }

    /// Inserts a new object of the entity with a name into a context. Call it on the context's queue.
    ///
    /// The process ends if the context's model has no such entity.
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - context: a context with a coordinator.
    /// - Returns: The object, of the entity's class.
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let table = context.core.tables.table(named: entityName) else {
            Misuse.stop("+entityForName: could not locate an entity named '\(entityName)' in this model.")
        }
        return table.objectClass.init(entity: table.description, insertInto: context)
    }
}
