import CoreData
import Foundation
import SwiftData
import TestSupport
import Testing

/// For programs that use both frameworks on one store.
@Suite("Core Data models of SwiftData classes")
struct SharedModelTests {
    @Test("A model has SwiftData's entities, properties, delete rules and constraints, related classes included")
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

    @Test("Core Data opens a store that SwiftData wrote")
    func sameFile() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
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

    @Test("A model can be merged with another; types that are not models return nil")
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
