import CoreData
import Foundation
import Testing

@Suite("Classes and validation in object-by-object migrations")
struct MigrationClassTests {
    /// The class for a version of the model that has `born`; other versions lack it.
    final class Pet: NSManagedObject {
        nonisolated(unsafe) static var calls: [String] = []  // One test uses it.

        override func awakeFromInsert() {
            super.awakeFromInsert()
            Self.calls.append("awakeFromInsert")
            setPrimitiveValue("made", forKey: "born")
        }

        override func awakeFromFetch() {
            super.awakeFromFetch()
            Self.calls.append("awakeFromFetch")
        }

        override func willSave() {
            super.willSave()
            Self.calls.append("willSave")
            _ = value(forKey: "born")
        }

        override func validateForInsert() throws { Self.calls.append("validateForInsert") }
    }

    private static func model(
        _ attributes: [String], mandatory: String? = nil, class: NSManagedObject.Type = Pet.self
    ) -> NSManagedObjectModel {
        let pet = Zoo.entity("Pet", `class`)
        pet.properties = attributes.map { Zoo.attribute($0, .stringAttributeType, optional: $0 != mandatory) }
        let model = NSManagedObjectModel()
        model.entities = [pet]
        return model
    }

    private func migrate(
        _ file: FarmFile, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
        _ change: (NSMappingModel) -> Void = { _ in }
    ) throws -> URL {
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        change(mapping)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        manager.usesStoreSpecificMigrationManager = false
        let target = file.folder.appendingPathComponent("\(UUID()).sqlite")
        try manager.migrateStore(
            from: file.url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType)
        return target
    }

    private func file(_ model: NSManagedObjectModel) throws -> FarmFile {
        let file = try FarmFile()
        try file.withContext(model, [:]) { context in
            let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
            pet.setValue("Rex", forKey: "name")
            try context.save()
        }
        return file
    }

    @Test("No method of the program's classes runs; objects of both contexts are plain NSManagedObjects")
    func plainObjects() throws {
        let (first, second) = (Self.model(["name", "born"]), Self.model(["name"]))
        let file = try file(first)
        Pet.calls = []
        Pet.register()
        Observing.register()
        Observing.types = []
        let target = try migrate(file, from: first, to: second) { mapping in
            mapping.entityMappings.first?.entityMigrationPolicyClassName = String(reflecting: Observing.self)
        }
        #expect(Pet.calls.isEmpty)
        #expect(Observing.types == ["NSManagedObject", "NSManagedObject"])
        try file.withContext(Self.model(["name"]), [:], at: target) { context in
            let pets = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Pet"))
            #expect(pets.map { "\(type(of: $0))" } == ["Pet"])
        }
    }

    final class Observing: NSEntityMigrationPolicy {
        nonisolated(unsafe) static var types: [String] = []  // One test uses it.

        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            let entity = try #require(manager.destinationEntity(for: mapping))
            let made = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
            made.setValue(sInstance.value(forKey: "name"), forKey: "name")
            manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
            #expect(made.entity === entity && sInstance.entity === manager.sourceEntity(for: mapping))
            Self.types += [sInstance, made].map { "\(type(of: $0))" }
        }
    }

    final class Late: NSEntityMigrationPolicy {
        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            let made = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: manager.destinationContext)
            manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
        }

        override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
            guard sources.contains(where: { $0.value(forKey: "name") as? String == "Rex" }) else { return }
            for made in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil) {
                made.setValue("here", forKey: "born")
            }
        }
    }

    @Test("The destination model's rules are validated when the destination is saved, after the policies have run")
    func rules() throws {
        Late.register()
        let first = Self.model(["name"], class: NSManagedObject.self)
        let second = Self.model(["born"], mandatory: "born")
        func late() -> NSMappingModel {
            let pet = NSEntityMapping()
            pet.name = "PetToPet"
            pet.mappingType = .customEntityMappingType
            pet.sourceEntityName = "Pet"
            pet.destinationEntityName = "Pet"
            pet.entityMigrationPolicyClassName = String(reflecting: Late.self)
            let mapping = NSMappingModel()
            mapping.entityMappings = [pet]
            return mapping
        }
        for (name, expected) in [("Rex", nil), ("Max", 1570)] as [(String, Int?)] {
            let file = try FarmFile()
            try file.withContext(first, [:]) { context in
                let pet = NSManagedObject(entity: try #require(first.entitiesByName["Pet"]), insertInto: context)
                pet.setValue(name, forKey: "name")
                try context.save()
            }
            let before = Set(file.contents.keys)
            let manager = NSMigrationManager(sourceModel: first, destinationModel: second)
            let outcome = code {
                try manager.migrateStore(
                    from: file.url, sourceType: NSSQLiteStoreType, with: late(),
                    toDestinationURL: file.folder.appendingPathComponent("new.sqlite"),
                    destinationType: NSSQLiteStoreType)
            }
            #expect(outcome == expected)
            if expected != nil { #expect(Set(file.contents.keys) == before) }
        }
    }
}
