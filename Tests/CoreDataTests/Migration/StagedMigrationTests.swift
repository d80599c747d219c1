import CoreData
import Foundation
import Testing

@Suite("Staged migration")
struct StagedMigrationTests {
    private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private func options(_ stages: [NSMigrationStage]) -> [String: Any] {
        var options = FarmFile.automatic
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
        return options
    }

    private func stages(_ custom: (NSCustomMigrationStage) -> Void) -> [NSMigrationStage] {
        let second = reference(Farm.second())
        let first = NSLightweightMigrationStage([Farm.first().versionChecksum, second.versionChecksum])
        let last = NSCustomMigrationStage(migratingFrom: second, to: reference(Farm.third()))
        first.label = "beasts"
        custom(last)
        return [first, last]
    }

    @Test("stages run in order from the store's version; handlers get a container of their stage's version")
    func stages() throws {
        let file = try FarmFile()
        try file.fill()
        let stages = stages { stage in
            stage.willMigrateHandler = { manager, _ in
                let context = try #require(manager.container).newBackgroundContext()
                for (number, beast) in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beast"))
                    .enumerated()
                {
                    beast.setValue("Rex \(number)", forKey: "title")
                }
                try context.save()
            }
            stage.didMigrateHandler = { manager, _ in
                let context = try #require(manager.container).newBackgroundContext()
                for beast in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beast")) {
                    beast.setValue("counted", forKey: "state")
                }
                try context.save()
            }
        }
        try file.withContext(Farm.third(), options(stages)) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.map { $0.value(forKey: "title") as? String } == ["Rex 0", "Rex 1", "Rex 2"])
            #expect(found.allSatisfy { $0.value(forKey: "state") as? String == "counted" })
        }
        #expect(file.contents.keys.allSatisfy { $0.hasPrefix("farm.sqlite") })
    }

    @Test("a handler that throws leaves the store at the version before the first stage")
    func failing() throws {
        struct Refusal: Error {}
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        let stages = stages { stage in
            stage.willMigrateHandler = { manager, _ in
                let context = try #require(manager.container).newBackgroundContext()
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beast")).forEach(context.delete)
                try context.save()
                throw Refusal()
            }
        }
        #expect(code { try file.withContext(Farm.third(), options(stages)) } == 134110)
        #expect(file.contents == before)
    }

    @Test("a version without a stage is refused with 134504, one newer than the model with 134506")
    func codes() throws {
        let file = try FarmFile()
        try file.fill()
        let late = NSCustomMigrationStage(migratingFrom: reference(Farm.second()), to: reference(Farm.third()))
        #expect(code { try file.withContext(Farm.third(), options([late])) } == 134504)
        let all = NSLightweightMigrationStage([Farm.first().versionChecksum, Farm.second().versionChecksum])
        try file.withContext(Farm.second(), options([all]))
        #expect(code { try file.withContext(Farm.first(), options([all])) } == 134506)
        let missing = NSManagedObjectModelReference(name: "Nothing", in: nil, versionChecksum: "x")
        let lost = NSCustomMigrationStage(migratingFrom: reference(Farm.second()), to: missing)
        #expect(code { try file.withContext(Farm.third(), options([lost])) } == 134504)
        #expect(missing.resolvedModel.entities.isEmpty)
    }

    @Test(
        "After its stages a store can be written, with and without history", arguments: [false, true])
    func writing(recordsHistory: Bool) throws {
        let file = try FarmFile()
        let own = [NSPersistentHistoryTrackingKey: recordsHistory]
        try file.fill(options: own)
        let migrating = options(
            stages { stage in
                stage.willMigrateHandler = { manager, _ in
                    let context = try #require(manager.container).newBackgroundContext()
                    for (number, beast) in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beast"))
                        .enumerated()
                    {
                        beast.setValue("Rex \(number)", forKey: "title")
                    }
                    try context.save()
                }
            }
        ).merging(own) { _, own in own }
        try file.withContext(Farm.third(), migrating) { context in
            let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
            #expect(!store.isReadOnly && store.sqlite?.recordsHistory == recordsHistory)
            _ = NSEntityDescription.insertNewObject(forEntityName: "Barn", into: context)
            try context.save()
        }
        try file.withContext(Farm.third(), own) { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Barn"))
            #expect(count == 1)
        }
    }
}
