import Foundation
import ObjectGraph

extension NSEntityDescription {
    /// The entity of that name in the model of the context; `nil` when there is none.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.core.tables.table(named: entityName)?.description
    }

    /// A new object of the entity of that name, in the context. The context's model must have it.
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let table = context.core.tables.table(named: entityName) else {
            Misuse.stop("+entityForName: could not locate an entity named '\(entityName)' in this model.")
        }
        return table.objectClass.init(entity: table.description, insertInto: context)
    }
}
