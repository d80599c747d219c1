import CoreData
import Foundation
import Testing

@Suite("Automatic migration")
struct AutomaticMigrationTests {
    private func beasts(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        return try context.fetch(request)
    }

    @Test("with both options, the store is migrated as it is added, and objects keep their identifiers")
    func inferred() throws {
        let file = try FarmFile()
        try file.fill()
        try file.withContext(Farm.second()) { context in
            let found = try beasts(context)
            #expect(found.map { $0.value(forKey: "title") as? String } == ["Rex", "Rex", "Rex"])
            #expect(found.map { $0.value(forKey: "age") as? Int } == [0, 1, 2])
            #expect(found.allSatisfy { $0.value(forKey: "state") as? String == "well" })
            let keepers = found.map {
                ($0.value(forKey: "keeper") as? NSManagedObject)?.value(forKey: "name") as? String
            }
            #expect(keepers == ["Ida", "Ida", nil])
            #expect(found.map { $0.objectID.uriRepresentation().path } == ["/Beast/p1", "/Beast/p2", "/Beast/p3"])
        }
    }

    @Test("without the option the store is refused with 134100, without inference with 134140; it is unchanged")
    func refused() throws {
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        #expect(code { try file.withContext(Farm.second(), [:]) } == 134100)
        let notInferring: [String: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        #expect(code { try file.withContext(Farm.second(), notInferring) } == 134140)
        var readOnly = FarmFile.automatic
        readOnly[NSReadOnlyPersistentStoreOption] = true
        #expect(code { try file.withContext(Farm.second(), readOnly) } == 134100)
        #expect(file.contents == before)
    }

    @Test("MG7 work that may be deferred is done at once, and no task is left to finish")
    func deferred() throws {
        let file = try FarmFile()
        try file.fill()
        var options = FarmFile.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
        try file.withContext(Farm.second(), options) { context in
            let ages = try beasts(context).map { $0.value(forKey: "age") as? Int }
            #expect(ages == [0, 1, 2])
            #expect(context.persistentStoreCoordinator?.finishDeferredLightweightMigration() == false)
            #expect(context.persistentStoreCoordinator?.finishDeferredLightweightMigrationTask() == false)
        }
    }

    @Test("a model that cannot be inferred fails with 134140, a broken constraint with 134111; the store is unchanged")
    func impossible() throws {
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        #expect(code { try file.withContext(Farm.textual()) } == 134140)
        #expect(file.contents == before)
        try file.withContext(Farm.second())
        let second = file.contents
        #expect(code { try file.withContext(Farm.third()) } == 134111)
        #expect(file.contents == second)
    }

    @Test("optional relationships with a minimum count are added, and are empty")
    func optionalMinimum() throws {
        let file = try FarmFile()
        try file.fill()
        let model = Farm.first()
        let animal = try #require(model.entitiesByName["Animal"])
        let keeper = try #require(model.entitiesByName["Keeper"])
        let barn = Zoo.entity("Barn", NSManagedObject.self)
        Zoo.link(barn, "animals", .toMany, .nullifyDeleteRule, animal, "barn", .toOne, .nullifyDeleteRule)
        Zoo.link(keeper, "barns", .toMany, .nullifyDeleteRule, barn, "keepers", .toMany, .nullifyDeleteRule)
        animal.relationshipsByName["barn"]?.minCount = 1
        keeper.relationshipsByName["barns"]?.minCount = 2
        model.entities += [barn]
        try file.withContext(model) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.predicate = NSPredicate(format: "barn == nil")
            let count = try context.count(for: request)
            #expect(count == 3)
        }
    }

    @Test("a container's descriptions migrate by default")
    func descriptions() throws {
        let file = try FarmFile()
        try file.fill()
        func load(_ migrates: Bool) -> (any Error)? {
            let container = NSPersistentContainer(name: "farm", managedObjectModel: Farm.second())
            let description = NSPersistentStoreDescription(url: file.url)
            description.shouldMigrateStoreAutomatically = migrates
            container.persistentStoreDescriptions = [description]
            var failure: (any Error)?
            container.loadPersistentStores { failure = $1 }
            return failure
        }
        #expect((load(false) as? CocoaError)?.errorCode == 134100)
        #expect(load(true) == nil)
    }

    @Test("the current progress is updated, and its cancellation stops the migration with 134120")
    func progress() throws {
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        let cancelled = Progress(totalUnitCount: 1)
        cancelled.cancel()
        cancelled.becomeCurrent(withPendingUnitCount: 1)
        #expect(code { try file.withContext(Farm.second()) } == 134120)
        cancelled.resignCurrent()
        #expect(file.contents == before)
        let progress = Progress(totalUnitCount: 1)
        progress.becomeCurrent(withPendingUnitCount: 1)
        try file.withContext(Farm.second())
        progress.resignCurrent()
        #expect(progress.fractionCompleted > 0.5)
    }
}
