import CoreData
import Foundation
import Testing

@Suite("Migration managers")
struct MigrationManagerTests {
    /// Turns ages into texts, which no inferred mapping does.
    private func mapping(policy: String? = nil) -> NSMappingModel {
        let animal = NSEntityMapping()
        animal.name = "AnimalToAnimal"
        animal.mappingType = .customEntityMappingType
        animal.sourceEntityName = "Animal"
        animal.destinationEntityName = "Animal"
        animal.attributeMappings = [
            property("name", NSExpression(format: "uppercase:($source.name)")),
            property(
                "age",
                NSExpression(
                    block: { source, _, _ in
                        ((source as? NSManagedObject)?.value(forKey: "age") as? Int).map { "\($0) years" }
                    }, arguments: [])),
        ]
        animal.relationshipMappings = [property("keeper", NSExpression(format: "$source.keeper"))]
        animal.entityMigrationPolicyClassName = policy
        let keeper = NSEntityMapping()
        keeper.name = "KeeperToKeeper"
        keeper.mappingType = .copyEntityMappingType
        keeper.sourceEntityName = "Keeper"
        keeper.destinationEntityName = "Keeper"
        keeper.attributeMappings = [property("name", NSExpression(format: "$source.name"))]
        let model = NSMappingModel()
        model.entityMappings = [animal, keeper]
        return model
    }

    private func property(_ name: String, _ expression: NSExpression) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = expression
        return mapping
    }

    private func migrate(_ file: FarmFile, _ mapping: NSMappingModel?, to model: NSManagedObjectModel = Farm.textual())
        throws
        -> URL
    {
        let target = file.folder.appendingPathComponent("new.sqlite")
        let manager = NSMigrationManager(sourceModel: Farm.first(), destinationModel: model)
        try manager.migrateStore(
            from: file.url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        #expect(manager.migrationProgress == 1)
        return target
    }

    @Test("objects get the values of the mapping's expressions, and relationships refer to the migrated objects")
    func mapped() throws {
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        let target = try migrate(file, mapping())
        try file.withContext(Farm.textual(), [:], at: target) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.map { $0.value(forKey: "name") as? String } == ["REX", "REX", "REX"])
            #expect(found.map { $0.value(forKey: "age") as? String } == ["0 years", "1 years", "2 years"])
            let keeper = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Keeper")).first)
            #expect((keeper.value(forKey: "animals") as? Set<NSManagedObject>)?.count == 2)
        }
        for (name, data) in before { #expect(file.contents[name] == data, "the source is only read") }
    }

    final class Recording: NSEntityMigrationPolicy {
        nonisolated(unsafe) static var calls: [String] = []  // One test uses it.

        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
            Self.calls.append("begin")
        }
        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            Self.calls.append("create")
            if sInstance.value(forKey: "age") as? Int == 0 { return }
            try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        }
        override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.calls.append("endCreation")
        }
        override func createRelationships(
            forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            Self.calls.append("relate")
            try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
        }
        override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.calls.append("endRelating")
        }
        override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.calls.append("validate")
        }
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            Self.calls.append("end")
        }
    }

    @Test("a policy's methods are called in three passes, and instances it skips are not migrated")
    func policy() throws {
        Recording.register()
        Recording.calls = []
        let file = try FarmFile()
        try file.fill()
        let target = try migrate(file, mapping(policy: String(reflecting: Recording.self)))
        #expect(
            Recording.calls == [
                "begin", "create", "create", "create", "endCreation", "relate", "relate", "endRelating", "validate",
                "end",
            ])
        try file.withContext(Farm.textual(), [:], at: target) { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Animal"))
            #expect(count == 2)
        }
    }

    final class Cancelling: NSEntityMigrationPolicy {
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            manager.cancelMigrationWithError(CocoaError(CocoaError.Code(rawValue: 134120)))
        }
    }

    @Test("a cancelled migration, and one whose policy is not found, leave no file behind")
    func failing() throws {
        Cancelling.register()
        let file = try FarmFile()
        try file.fill()
        let before = Set(file.contents.keys)
        #expect(code { _ = try migrate(file, mapping(policy: "Nobody.Knows")) } == 134170)
        #expect(code { _ = try migrate(file, mapping(policy: String(reflecting: Cancelling.self))) } == 134120)
        #expect(Set(file.contents.keys) == before)
        let nowhere = try FarmFile()
        #expect(code { _ = try migrate(nowhere, mapping()) } == 134150)
    }

    final class Beginning: NSEntityMigrationPolicy {
        nonisolated(unsafe) static var count = 0  // One test uses it.

        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { Self.count += 1 }
    }

    @Test("an inferred mapping that was edited is executed by objects, with its policy")
    func editedInferred() throws {
        Beginning.register()
        let file = try FarmFile()
        try file.fill()
        let inferred = try NSMappingModel.inferredMappingModel(
            forSourceModel: Farm.first(), destinationModel: Farm.second())
        let beast = try #require(inferred.entityMappingsByName["IEM_Transform_Beast"])
        beast.entityMigrationPolicyClassName = String(reflecting: Beginning.self)
        let manager = NSMigrationManager(sourceModel: Farm.first(), destinationModel: Farm.second())
        try manager.migrateStore(
            from: file.url, sourceType: NSSQLiteStoreType, with: inferred,
            toDestinationURL: file.folder.appendingPathComponent("new.sqlite"), destinationType: NSSQLiteStoreType)
        #expect(Beginning.count == 1)
    }

    @Test("an inferred mapping has names, is executed by the store, and by objects if requested")
    func inferred() throws {
        let inferred = try NSMappingModel.inferredMappingModel(
            forSourceModel: Farm.first(), destinationModel: Farm.second())
        let types = inferred.entityMappings.map { ($0.name ?? "", $0.mappingType) }
        #expect(types.map(\.0) == ["IEM_Add_Barn", "IEM_Transform_Beast", "IEM_Transform_Keeper"])
        #expect(types.map(\.1) == [.addEntityMappingType, .transformEntityMappingType, .transformEntityMappingType])
        let beast = try #require(inferred.entityMappingsByName["IEM_Transform_Beast"]?.userInfo)
        #expect(beast["mappedProperties"] as? Set<String> == ["title", "age", "keeper"])
        #expect(beast["addedProperties"] as? Set<String> == ["state"])
        #expect(beast["removedProperties"] as? Set<String> == [])
        let back = try NSMappingModel.inferredMappingModel(
            forSourceModel: Farm.third(), destinationModel: Farm.second())
        #expect(back.entityMappings.allSatisfy { $0.userInfo != nil || $0.mappingType == .addEntityMappingType })
        #expect(
            code {
                _ = try NSMappingModel.inferredMappingModel(
                    forSourceModel: Farm.first(), destinationModel: Farm.textual())
            } == 134190)
        for byStore in [true, false] {
            let file = try FarmFile()
            try file.fill()
            let target = file.folder.appendingPathComponent("new.sqlite")
            let manager = NSMigrationManager(sourceModel: Farm.first(), destinationModel: Farm.second())
            manager.usesStoreSpecificMigrationManager = byStore
            try manager.migrateStore(
                from: file.url, sourceType: NSSQLiteStoreType, with: inferred, toDestinationURL: target,
                destinationType: NSSQLiteStoreType)
            try file.withContext(Farm.second(), [:], at: target) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
                request.predicate = NSPredicate(format: "keeper.name == 'Ida' AND title == 'Rex' AND state == 'well'")
                let count = try context.count(for: request)
                #expect(count == 2, "by store: \(byStore)")
            }
        }
    }

    @Test("a mapping of properties missing in the models is refused with 134110, and leaves no file")
    func unknownProperties() throws {
        let file = try FarmFile()
        try file.fill()
        let before = Set(file.contents.keys)
        let wrong = [
            property("nothing", NSExpression(format: "$source.name")),
            property("name", NSExpression(format: "$source.nothing")),
        ]
        for place in wrong {
            let mapping = mapping()
            mapping.entityMappings[0].attributeMappings?.append(place)
            #expect(code { _ = try migrate(file, mapping) } == 134110)
        }
        let mapping = mapping()
        let keeperLink = property("unknown", NSExpression(format: "$source.keeper"))
        mapping.entityMappings[0].relationshipMappings?.append(keeperLink)
        #expect(code { _ = try migrate(file, mapping) } == 134110)
        #expect(Set(file.contents.keys) == before)
    }
}
