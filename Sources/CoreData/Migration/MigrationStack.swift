import Foundation

/// The two stores of a migration by objects, each with a coordinator and a context of its own.
///
/// Both use copies of the models in which every entity has the class `NSManagedObject`, as described in Apple's *Core Data
/// Model Versioning and Data Migration*: a program's class is written for the current model, and its hooks may use properties
/// that objects of another version lack.
struct MigrationStack {
    let source: NSManagedObjectContext
    let destination: NSManagedObjectContext

    struct Place {
        let url: URL
        let type: String
        let options: [AnyHashable: Any]?
    }

    /// - Throws: `CocoaError` 134150 for a source and 134160 for a destination that cannot be opened.
    init(
        from source: Place, _ sourceModel: NSManagedObjectModel, to destination: Place,
        _ destinationModel: NSManagedObjectModel
    ) throws {
        var reading = source.options ?? [:]
        reading[NSReadOnlyPersistentStoreOption] = true
        self.source = try Self.context(
            sourceModel, Place(url: source.url, type: source.type, options: reading), .migrationManagerSourceStore)
        self.destination = try Self.context(destinationModel, destination, .migrationManagerDestinationStore)
    }

    func close() {
        for context in [source, destination] {
            guard let coordinator = context.persistentStoreCoordinator else { continue }
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
    }

    private static func context(
        _ model: NSManagedObjectModel, _ place: Place, _ failureCode: CocoaError.Code
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model.withPlainObjects())
        do {
            try coordinator.addPersistentStore(
                ofType: place.type, configurationName: nil, at: place.url, options: place.options)
        } catch {
            throw failure(failureCode, place.url, error)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func failure(_ code: CocoaError.Code, _ url: URL, _ error: any Error) -> CocoaError {
        CocoaError(
            code, text: "The store at '\(url.path)' cannot be migrated. \(String(describing: error))",
            userInfo: [NSUnderlyingErrorKey: error])
    }
}

extension NSManagedObjectModel {
    /// A copy in which every entity has the class `NSManagedObject`. Its version hashes are the same.
    func withPlainObjects() -> NSManagedObjectModel {
        let copies = EntityCopies(of: entities)
        for entity in copies.entities { entity.managedObjectClassName = NSEntityDescription.generalClassName }
        let model = NSManagedObjectModel()
        model.entities = copies.entities
        return model
    }
}
