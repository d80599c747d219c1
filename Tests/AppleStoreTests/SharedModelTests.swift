import CoreData
import Foundation
import SwiftData
import Testing

/// Core Data's model made of SwiftData's classes, as programs make it that use both on one store.
@Suite("Models of SwiftData's classes for Core Data")
struct SharedModelTests {
    @Test("Entities, properties, rules and constraints are those that SwiftData has, related classes included")
    func entities() throws {
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Harbor.self]))
        #expect(Set(model.entitiesByName.keys) == ["Harbor", "Ship", "Route"])
        let harbor = try #require(model.entitiesByName["Harbor"])
        #expect(harbor.attributesByName["name"]?.attributeType == .stringAttributeType)
        #expect(harbor.relationshipsByName["ships"]?.deleteRule == .cascadeDeleteRule)
        #expect(harbor.relationshipsByName["ships"]?.inverseRelationship?.name == "harbor")
        #expect(harbor.uniquenessConstraints as? [[String]] == [["name"]])
        let bySchema = try #require(
            NSManagedObjectModel.makeManagedObjectModel(for: Schema([Harbor.self, Ship.self, Route.self])))
        #expect(bySchema.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test("Core Data opens with it what SwiftData wrote")
    func sameFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("default.store")
        let types: [any PersistentModel.Type] = [Harbor.self, Ship.self, Route.self]
        let typed = ModelContext(try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url)))
        typed.insert(Harbor(name: "Hamburg"))
        try typed.save()
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Harbor")).map {
                $0.value(forKey: "name") as? String
            }
        }
        #expect(found == ["Hamburg"])
    }

    @Test("It is merged with another model, and there is none of what is no model")
    func merging() {
        let other = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Note"
        other.entities = [entity]
        let merged = NSManagedObjectModel.makeManagedObjectModel(for: [Route.self], mergedWith: other)
        #expect(merged?.entitiesByName["Note"] != nil && merged?.entitiesByName["Route"] != nil)
        #expect(NSManagedObjectModel.makeManagedObjectModel(for: [Int.self]) == nil)
    }
}
