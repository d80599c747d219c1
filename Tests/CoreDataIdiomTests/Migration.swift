import CoreData
import Foundation
import Testing

/// A book of contacts in several versions.
private enum Contacts {
    static func version1() -> NSManagedObjectModel {
        NSManagedObjectModel([
            NSEntityDescription(
                "Person", NSManagedObject.self,
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    NSAttributeDescription("age", .integer16AttributeType),
                ])
        ])
    }

    /// `fullName` was `name`, and a mandatory attribute with a default was added.
    static func version2() -> NSManagedObjectModel {
        let fullName = NSAttributeDescription("fullName", .stringAttributeType)
        fullName.renamingIdentifier = "name"
        return NSManagedObjectModel([
            NSEntityDescription(
                "Person", NSManagedObject.self,
                [
                    fullName, NSAttributeDescription("age", .integer16AttributeType),
                    NSAttributeDescription("isFriend", .booleanAttributeType, optional: false, default: false),
                ])
        ])
    }

    /// First and last name in attributes of their own.
    static func version3() -> NSManagedObjectModel {
        NSManagedObjectModel([
            NSEntityDescription(
                "Person", NSManagedObject.self,
                [
                    NSAttributeDescription("first", .stringAttributeType),
                    NSAttributeDescription("last", .stringAttributeType),
                    NSAttributeDescription("age", .integer16AttributeType),
                ])
        ])
    }
}

/// Divides a name in a migration with a mapping model.
final class NameDivision: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let parts = (sInstance.value(forKey: "name") as? String ?? "").split(separator: " ", maxSplits: 1).map(
            String.init)
        let made = NSEntityDescription.insertNewObject(forEntityName: "Person", into: manager.destinationContext)
        made.setValue(parts.first, forKey: "first")
        made.setValue(parts.dropFirst().first, forKey: "last")
        made.setValue(sInstance.value(forKey: "age"), forKey: "age")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }
}

@MainActor @Suite("Migration")
struct Migration {
    /// A file of the first version with one person, closed.
    private func oldFile() throws -> Kitchen {
        let kitchen = try Kitchen(.file, model: Contacts.version1())
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: kitchen.context)
        person.setValue("Ann Lee", forKey: "name")
        person.setValue(30, forKey: "age")
        try kitchen.context.save()
        for store in kitchen.coordinator.persistentStores { try kitchen.coordinator.remove(store) }
        return kitchen
    }

    private func person(_ container: NSPersistentContainer) throws -> NSManagedObject? {
        try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first
    }

    // Source: Apple, 'Migrating your data model automatically'
    @Test("Migrates automatically when the store is loaded")
    func lightweight() throws {
        let kitchen = try oldFile()
        let container = try kitchen.reopened(model: Contacts.version2())
        let person = try person(container)
        #expect(person?.value(forKey: "fullName") as? String == "Ann Lee")
        #expect(person?.value(forKey: "isFriend") as? Bool == false)
    }

    // Source: Apple, 'Core Data Model Versioning and Data Migration Programming Guide'
    @Test("Migrates by options of addPersistentStore")
    func options() throws {
        let kitchen = try oldFile()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Contacts.version2())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: kitchen.storeURL,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        #expect(coordinator.persistentStores.count == 1)
    }

    // Source: widely copied recipe: is a migration needed?
    @Test("Checks whether a file needs a migration")
    func needed() throws {
        let kitchen = try oldFile()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: kitchen.storeURL, options: nil)
        #expect(Contacts.version1().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!Contacts.version2().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    // Source: Apple, NSPersistentStoreDescription, 'shouldMigrateStoreAutomatically'
    @Test("Refuses an older file if migration is switched off")
    func refused() throws {
        let kitchen = try oldFile()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Contacts.version2())
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: kitchen.storeURL, options: nil)
            Issue.record("opened")
        } catch let error as NSError {
            #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        }
    }

    // Source: Apple, NSMappingModel, 'inferredMappingModel(forSourceModel:destinationModel:)'
    @Test("Migrates a file with a manager and an inferred mapping")
    func manager() throws {
        let kitchen = try oldFile()
        let (old, new) = (Contacts.version1(), Contacts.version2())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let target = kitchen.folder.appendingPathComponent("Kitchen2.sqlite")
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: kitchen.storeURL, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
            toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
        let container = try kitchen.reopened(model: new, at: target)
        #expect(try person(container)?.value(forKey: "fullName") as? String == "Ann Lee")
    }

    // Source: Apple, NSEntityMigrationPolicy
    @Test("Computes values with a custom migration policy")
    func policy() throws {
        let kitchen = try oldFile()
        let (old, new) = (Contacts.version1(), Contacts.version3())
        let entity = NSEntityMapping()
        entity.name = "PersonToPerson"
        entity.mappingType = .customEntityMappingType
        entity.sourceEntityName = "Person"
        entity.destinationEntityName = "Person"
        entity.sourceEntityVersionHash = old.entityVersionHashesByName["Person"]
        entity.destinationEntityVersionHash = new.entityVersionHashesByName["Person"]
        entity.entityMigrationPolicyClassName = NSStringFromClass(NameDivision.self)
        let mapping = NSMappingModel()
        mapping.entityMappings = [entity]
        let target = kitchen.folder.appendingPathComponent("Kitchen3.sqlite")
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: kitchen.storeURL, type: .sqlite, options: nil, mapping: mapping, to: target, type: .sqlite,
            options: nil)
        let container = try kitchen.reopened(model: new, at: target)
        #expect(try person(container)?.value(forKey: "last") as? String == "Lee")
    }

    // Source: widely copied recipe: progressive migration
    @Test("Migrates step by step through every version in between")
    func progressive() throws {
        let kitchen = try oldFile()
        let versions = [Contacts.version1(), Contacts.version2()]
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: kitchen.storeURL, options: nil)
        for (old, new) in zip(versions, versions.dropFirst())
        where old.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            let step = kitchen.folder.appendingPathComponent(UUID().uuidString)
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: kitchen.storeURL, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                toDestinationURL: step, destinationType: NSSQLiteStoreType, destinationOptions: nil)
            try NSPersistentStoreCoordinator(managedObjectModel: new).replacePersistentStore(
                at: kitchen.storeURL, destinationOptions: nil, withPersistentStoreFrom: step, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: kitchen.storeURL, options: nil)
        }
        #expect(versions[1].isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    // Source: Apple, NSStagedMigrationManager
    @Test("Migrates in stages, with code in between")
    func staged() throws {
        let kitchen = try oldFile()
        let (old, new) = (Contacts.version1(), Contacts.version2())
        let stage = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
            to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
        stage.didMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
                    person.setValue(true, forKey: "isFriend")
                }
                try context.save()
            }
        }
        let container = NSPersistentContainer(name: "Kitchen", managedObjectModel: new)
        let description = NSPersistentStoreDescription(url: kitchen.storeURL)
        description.setOption(
            NSStagedMigrationManager([stage]), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        container.persistentStoreDescriptions = [description]
        try container.load()
        #expect(try person(container)?.value(forKey: "isFriend") as? Bool == true)
    }

    // Source: Apple, 'Migrating your data model automatically'
    @Test("MG1 Refuses a file that shares no entity with the model")
    func unrelatedModel() throws {
        let kitchen = try oldFile()
        #expect(throws: (any Error).self) { try kitchen.reopened(model: .kitchen()) }
    }
}
