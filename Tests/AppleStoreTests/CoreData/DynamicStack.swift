import CoreData
import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// The dynamic face on a file of Apple's: a copy, opened with the model in the file or with another one.
final class DynamicStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let map: StorageMap

    init(_ url: URL, model: NSManagedObjectModel? = nil, isReadOnly: Bool = false) throws {
        let model = try model ?? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        let (map, recordsHistory) = try Self.layout(url, try model.compiled())
        self.map = map
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSPersistentHistoryTrackingKey: recordsHistory, NSReadOnlyPersistentStoreOption: isReadOnly,
            ])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    private static func layout(_ url: URL, _ model: Model) throws -> (StorageMap, recordsHistory: Bool) {
        let connection = try Connection(.file(url), access: .readOnly)
        let tables = try FileTables(connection)
        return (
            try StorageMap(model).adjusted(to: tables, rows: try PrimaryKeyTable.rows(connection)), tables.hasHistory
        )
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Objects of one entity alone, by key.
    func objects(of entity: Entity) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        return try context.fetch(request).sorted { $0.key < $1.key }
    }

    /// Every non-abstract entity, with its objects.
    func everything() throws -> [(entity: Entity, storage: EntityStorage, objects: [NSManagedObject])] {
        try map.model.entities.filter { !$0.isAbstract }.map { ($0, map.entities[$0.index], try objects(of: $0)) }
    }
}

extension NSManagedObject {
    var key: Int64 { objectID.id.key }
}
