import Foundation
import ObjectGraph

/// Copies all objects of one store to another store of the same coordinator.
struct ObjectCopying {
    private let source: NSPersistentStore
    private let destination: NSPersistentStore
    private let core: CoordinatorCore
    private let context: NSManagedObjectContext

    init(from source: NSPersistentStore, to destination: NSPersistentStore, _ core: CoordinatorCore) throws {
        self.source = source
        self.destination = destination
        self.core = core
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = core.owner
    }

    func run() throws {
        try context.performAndWait {
            var copies: [NSManagedObject: NSManagedObject] = [:]
            for table in core.tables.tables where !table.entity.isAbstract {
                for original in try originals(table) { copies[original] = copy(of: original, table) }
            }
            for (original, copy) in copies { link(copy, original, copies) }
            try context.save()
        }
    }

    /// Objects of the entity itself, without those of subentities.
    private func originals(_ table: EntityTable) throws -> [NSManagedObject] {
        guard source.engine?.model.entity(named: table.entity.name) != nil else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: table.entity.name)
        request.includesSubentities = false
        request.includesPendingChanges = false
        request.affectedStores = [source]
        return try context.fetch(request)
    }

    private func copy(of original: NSManagedObject, _ table: EntityTable) -> NSManagedObject {
        let copy = NSManagedObject(entity: table.description, insertInto: context)
        context.assign(copy, to: destination)
        for place in table.attributes where place.isWritable { copy.copyValues(of: place, from: original, place) }
        return copy
    }

    private func link(
        _ copy: NSManagedObject, _ original: NSManagedObject, _ copies: [NSManagedObject: NSManagedObject]
    ) {
        for relationship in copy.table.entity.relationships where !relationship.relationship.isTransient {
            let value = original.value(forKey: relationship.name)
            let new: Any? =
                switch value {
                case let object as NSManagedObject: copies[object]
                case let set as NSOrderedSet: NSOrderedSet(array: set.array.compactMap { twin($0, copies) })
                case let set as NSSet: NSSet(array: set.allObjects.compactMap { twin($0, copies) })
                default: nil
                }
            copy.setValue(new, forKey: relationship.name)
        }
    }

    private func twin(_ member: Any, _ copies: [NSManagedObject: NSManagedObject]) -> NSManagedObject? {
        (member as? NSManagedObject).flatMap { copies[$0] }
    }
}
