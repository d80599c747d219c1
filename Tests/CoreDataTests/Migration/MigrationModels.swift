import CoreData
import Foundation
import TestSupport

/// Versions of a small model: keepers and their animals.
enum Farm {
    static func first() -> NSManagedObjectModel {
        let animal = entity(
            "Animal", [Zoo.attribute("name", .stringAttributeType), Zoo.attribute("age", .integer16AttributeType)])
        let keeper = entity("Keeper", [Zoo.attribute("name", .stringAttributeType)])
        link(keeper, "animals", animal, "keeper")
        return model([animal, keeper])
    }

    /// Animals are called beasts, names are titles, ages are wider, and there are barns.
    static func second() -> NSManagedObjectModel {
        let title = Zoo.attribute("title", .stringAttributeType)
        title.renamingIdentifier = "name"
        let beast = entity(
            "Beast",
            [
                title, Zoo.attribute("age", .integer64AttributeType),
                Zoo.attribute("state", .stringAttributeType, optional: false, default: "well"),
            ])
        beast.renamingIdentifier = "Animal"
        let keeper = entity("Keeper", [Zoo.attribute("name", .stringAttributeType)])
        let barn = entity("Barn", [Zoo.attribute("size", .doubleAttributeType)])
        link(keeper, "animals", beast, "keeper")
        return model([beast, keeper, barn])
    }

    /// Titles are unique.
    static func third() -> NSManagedObjectModel {
        let beast = entity(
            "Beast",
            [
                Zoo.attribute("title", .stringAttributeType), Zoo.attribute("age", .integer64AttributeType),
                Zoo.attribute("state", .stringAttributeType, optional: false, default: "well"),
            ])
        beast.uniquenessConstraints = [["title"]]
        let keeper = entity("Keeper", [Zoo.attribute("name", .stringAttributeType)])
        let barn = entity("Barn", [Zoo.attribute("size", .doubleAttributeType)])
        link(keeper, "animals", beast, "keeper")
        return model([beast, keeper, barn])
    }

    /// The second version, with a weight for beasts.
    static func fourth() -> NSManagedObjectModel {
        let model = second()
        model.entitiesByName["Beast"]?.properties.append(
            Zoo.attribute("weight", .doubleAttributeType, optional: false, default: 1.5))
        return model
    }

    /// A version that no mapping can be inferred to: ages are texts.
    static func textual() -> NSManagedObjectModel {
        let animal = entity(
            "Animal", [Zoo.attribute("name", .stringAttributeType), Zoo.attribute("age", .stringAttributeType)])
        let keeper = entity("Keeper", [Zoo.attribute("name", .stringAttributeType)])
        link(keeper, "animals", animal, "keeper")
        return model([animal, keeper])
    }

    private static func entity(_ name: String, _ attributes: [NSAttributeDescription]) -> NSEntityDescription {
        let entity = Zoo.entity(name, NSManagedObject.self)
        entity.properties = attributes
        return entity
    }

    private static func link(
        _ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ back: String
    ) {
        Zoo.link(one, name, .toMany, .cascadeDeleteRule, other, back, .toOne, .nullifyDeleteRule)
    }

    private static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }
}

/// A store of the first version in a folder of its own.
final class FarmFile {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var url: URL { folder.appendingPathComponent("farm.sqlite") }

    init() throws { temporary = try TemporaryFolder() }

    /// A keeper with a number of animals, all of one name, and an animal without keeper.
    func fill(animals count: Int = 2, options: [String: Any] = automatic) throws {
        try withContext(Farm.first(), options) { context in
            let keeper = NSEntityDescription.insertNewObject(forEntityName: "Keeper", into: context)
            keeper.setValue("Ida", forKey: "name")
            for number in 0...count {
                let animal = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
                animal.setValue("Rex", forKey: "name")
                animal.setValue(number, forKey: "age")
                if number < count { animal.setValue(keeper, forKey: "keeper") }
            }
            try context.save()
        }
    }

    static var automatic: [String: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    func withContext(
        _ model: NSManagedObjectModel, _ options: [String: Any] = automatic, at url: URL? = nil,
        _ body: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url ?? self.url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try body(context)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Everything in the folder, except files that opening leaves behind.
    var contents: [String: Data] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        var found: [String: Data] = [:]
        for name in names where !name.hasSuffix("-shm") {
            let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
            if !(name.hasSuffix("-wal") && data.isEmpty) { found[name] = data }
        }
        return found
    }
}
