import Foundation
import SQLiteStore
import Testing

@testable import CoreData

@Suite("Mapping models in files")
struct MappingFileTests {
    /// Makes texts of ages, if a mapping names it.
    final class Years: NSEntityMigrationPolicy {
        override func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
            guard name == "yearsForAge:" else { return try super.value(ofFunction: name, arguments: arguments) }
            return (arguments.first as? Int).map { "\($0) years" }
        }
    }

    private static let source = ArchivedPart.variable("source")

    private static func ward(_ name: String) -> ArchivedPart {
        .call(
            .variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [.text("AnimalToAnimal"), .path(name, of: "source")])
    }

    /// Keepers and animals are transformed, wild animals get records, places stay, cages are removed, barns are added.
    private static var mapping: MappingText {
        MappingText(entities: [
            .init(
                source: "Keeper", destination: "Keeper", attributes: [.init("fullName", .path("name", of: "source"))],
                relationships: [.init("wards", ward("animals"))]),
            .init(
                source: "Animal", destination: "Animal",
                attributes: [
                    .init("name"), .init("loud", .function("uppercase:", [.path("name", of: "source")])),
                    .init("years", .call(.variable("entityPolicy"), "yearsForAge:", [.path("age", of: "source")])),
                ],
                relationships: [.init("keeper"), .init("records")],
                others: [
                    "migrationpolicyclassname": "MappingFileTests.Years",
                    "userinfodata": ArchiveWriter.archive(notes: ["since": "2"]).base64EncodedString(),
                ]),
            .init(
                source: "Animal", destination: "Record",
                attributes: [.init("text", nil, ["sourcekeypath": "name"])],
                relationships: [
                    .init("animal", nil, ["sourcekeypath": "$source", "sourcemappingname": "AnimalToAnimal"])
                ], others: ["sourcefilterpredicatestring": "kind == \"wild\" AND age < 100"]),
            .init(source: "Place", destination: "Place", attributes: [.init("title")]),
            .init(destination: "Barn", attributes: [.init("size")]),
            .init(source: "Cage"),
        ])
    }

    private func migrated(_ folder: MappingFolder, _ mapping: NSMappingModel) throws -> URL {
        Years.register()
        let target = folder.url.appendingPathComponent("new.sqlite")
        let manager = NSMigrationManager(
            sourceModel: try folder.version("Farm 1"), destinationModel: try folder.version("Farm 2"))
        try manager.migrateStore(from: folder.store, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        return target
    }

    private func check(_ folder: MappingFolder, _ url: URL) throws {
        try folder.withContext(folder.version("Farm 2"), url) { context in
            func fetch(_ entity: String) throws -> [NSManagedObject] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                return try context.fetch(request)
            }
            let animals = try fetch("Animal")
            #expect(Set(animals.compactMap { $0.value(forKey: "name") as? String }) == ["Rex", "Bo"])
            #expect(Set(animals.compactMap { $0.value(forKey: "loud") as? String }) == ["REX", "BO"])
            #expect(Set(animals.compactMap { $0.value(forKey: "years") as? String }) == ["3 years", "1 years"])
            let keeper = try #require(try fetch("Keeper").first)
            #expect(keeper.value(forKey: "fullName") as? String == "Ida")
            #expect((keeper.value(forKey: "wards") as? Set<NSManagedObject>)?.count == 2)
            let records = try fetch("Record")
            #expect(records.map { $0.value(forKey: "text") as? String } == ["Rex"], "the filter leaves one")
            let owner = records.first?.value(forKey: "animal") as? NSManagedObject
            #expect(owner?.value(forKey: "name") as? String == "Rex")
            #expect(try fetch("Place").map { $0.value(forKey: "title") as? String } == ["Meadow"])
            #expect(try fetch("Barn").isEmpty)
        }
    }

    // MARK: Reading

    @Test("A file provides its explicit settings; the named models provide the rest")
    func reading() throws {
        let folder = try MappingFolder()
        let mapping = try #require(NSMappingModel(contentsOf: try folder.add(Self.mapping)))
        let entities = try #require(mapping.entityMappings)
        #expect(
            entities.map(\.name) == [
                "KeeperToKeeper", "AnimalToAnimal", "AnimalToRecord", "PlaceToPlace", "Barn", "Cage",
            ])
        #expect(
            entities.map(\.mappingType) == [
                .transformEntityMappingType, .transformEntityMappingType, .transformEntityMappingType,
                .copyEntityMappingType, .addEntityMappingType, .removeEntityMappingType,
            ])
        let animal = try #require(mapping.entityMappingsByName["AnimalToAnimal"])
        let (first, second) = (try folder.version("Farm 1"), try folder.version("Farm 2"))
        #expect(animal.sourceEntityVersionHash == first.entityVersionHashesByName["Animal"])
        #expect(animal.destinationEntityVersionHash == second.entityVersionHashesByName["Animal"])
        #expect(animal.entityMigrationPolicyClassName == "MappingFileTests.Years")
        #expect(animal.userInfo?["since"] as? String == "2")
        #expect(
            animal.attributeMappings?.map { $0.valueExpression?.description } == [
                "$source.name", "uppercase:($source.name)",
                "FUNCTION($entityPolicy, \"yearsForAge:\", $source.age)",
            ])
        #expect(
            animal.relationshipMappings?.map { $0.valueExpression?.description } == [
                "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"KeeperToKeeper\", "
                    + "$source.keeper)",
                nil,
            ])
        let record = try #require(mapping.entityMappingsByName["AnimalToRecord"])
        #expect(
            record.sourceExpression?.description
                == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Animal\", "
                + "\"kind == \\\"wild\\\" AND age < 100\"), $manager.sourceContext, NO)")
        #expect(
            record.relationshipMappings?.first?.valueExpression?.description
                == "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"AnimalToAnimal\", "
                + "$source)")
        #expect(mapping.entityMappingsByName["Barn"]?.attributeMappings?.first?.valueExpression == nil)
    }

    @Test("A store is migrated as the file says: entities copied, transformed, split, added and removed")
    func migrating() throws {
        let folder = try MappingFolder()
        try folder.fill()
        let mapping = try #require(NSMappingModel(contentsOf: try folder.add(Self.mapping)))
        try check(folder, try migrated(folder, mapping))
    }

    @Test("Without the named models, properties keep their values if the source has them")
    func withoutModels() throws {
        let models = try MappingFolder()
        try models.fill()
        let lone = try MappingFolder(withModels: false)
        let mapping = try #require(NSMappingModel(contentsOf: try lone.add(Self.mapping)))
        #expect(mapping.entityMappings.allSatisfy { $0.sourceEntityVersionHash == nil })
        #expect(mapping.entityMappingsByName["PlaceToPlace"]?.mappingType == .undefinedEntityMappingType)
        try check(models, try migrated(models, mapping))
    }

    @Test("MG11 An expression that cannot be evaluated ends the migration with 134110, and leaves no file")
    func unknownFunctions() throws {
        let folder = try MappingFolder()
        try folder.fill()
        let wrong: [ArchivedPart] = [
            .call(.variable("entityPolicy"), "unheardOf:", [Self.source]),
            .call(.variable("manager"), "unheardOf", []),
            .call(.variable("source"), "shout", []),
            .call(
                .variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
                [.text("Nothing"), Self.source]),
            .unknown,
        ]
        for expression in wrong {
            var text = Self.mapping
            text.entities[1].attributes[0] = .init("name", expression)
            let mapping = try #require(NSMappingModel(contentsOf: try folder.add(text)))
            #expect(code { _ = try migrated(folder, mapping) } == 134110, "\(expression)")
            #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("new.sqlite").path))
        }
        var text = Self.mapping
        text.entities[1].relationships[0] = .init("keeper", Self.ward("keeper.animals"))
        let mapping = try #require(NSMappingModel(contentsOf: try folder.add(text)))
        #expect(code { _ = try migrated(folder, mapping) } == 134110, "an animal is no keeper")
    }

    @Test("A source that cannot be fetched ends the migration, rather than counting as empty")
    func unusableSources() throws {
        let folder = try MappingFolder()
        try folder.fill()
        for filter in ["kind ==", "nothing == 1"] {
            var text = Self.mapping
            text.entities[2].others["sourcefilterpredicatestring"] = filter
            let mapping = try #require(NSMappingModel(contentsOf: try folder.add(text)))
            #expect(throws: (any Error).self, "\(filter)") { try migrated(folder, mapping) }
        }
        var text = Self.mapping
        let archived = ArchiveWriter.archive(.fetch(request: .text("no request"), context: Self.source))
        text.entities[0].others["sourceexpressiondata"] = archived.base64EncodedString()
        let mapping = try #require(NSMappingModel(contentsOf: try folder.add(text)))
        #expect(code { _ = try migrated(folder, mapping) } == 134110)
    }

    // MARK: Finding

    @Test("MG10 Resources are searched for the mapping model of the two models")
    func finding() throws {
        let folder = try MappingFolder()
        let bundle = try #require(folder.bundle)
        let (first, second) = (try folder.version("Farm 1"), try folder.version("Farm 2"))
        func found(_ source: NSManagedObjectModel?, _ destination: NSManagedObjectModel?) -> [String]? {
            NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)?.entityMappings
                .compactMap(\.name)
        }
        #expect(found(first, second) == nil)
        var back = MappingText(entities: [.init(source: "Place", destination: "Place")])
        (back.source, back.destination) = (back.destination, back.source)
        try folder.add(back, named: "A back")
        var unnamed = MappingText(entities: [.init(source: "Cage")])
        unnamed.source = "App/Old.xcdatamodeld/Farm 1.xcdatamodel"
        try folder.add(unnamed, named: "B by names")
        #expect(found(first, second) == ["Cage"])
        try folder.add(Self.mapping)
        #expect(found(first, second)?.count == 6, "the one that names the versions goes before")
        #expect(found(second, first) == ["PlaceToPlace"])
        #expect(found(first, first) == nil)
        #expect(found(second, second) == nil)
        #expect(found(nil, second) == nil)
    }

    @Test("MG12 Adding a store migrates it by its mapping model, and keeps custom metadata")
    func opening() throws {
        Years.register()
        let folder = try MappingFolder()
        try folder.fill()
        try StoreFiles.setMetadata(at: folder.store) { $0["own"] = .string("note") }
        let second = try folder.version("Farm 2")
        let bundle = try #require(folder.bundle)
        let options: [AnyHashable: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        func open(_ progress: Progress? = nil) throws {
            progress?.becomeCurrent(withPendingUnitCount: 1)
            defer { progress?.resignCurrent() }
            var migration = StoreOpeningMigration(
                url: folder.store, model: try second.compiled(), described: second, options: options)
            migration.bundles = [bundle]
            try migration.run()
        }
        #expect(code { try open() } == 134140, "no mapping model")
        try folder.add(Self.mapping)
        let before = try Data(contentsOf: folder.store)
        let cancelled = Progress(totalUnitCount: 1)
        cancelled.cancel()
        #expect(code { try open(cancelled) } == 134120)
        #expect(try Data(contentsOf: folder.store) == before)
        try open()
        try check(folder, folder.store)
        #expect(try StoreFiles.metadata(at: folder.store).propertyList["own"] == .string("note"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.contains("MIGRATION") })
    }

    // MARK: Compiled ones

    /// A compiled form of the mapping: all properties of `NSMappingModel`, for two versions.
    private func compiled(_ folder: MappingFolder) throws -> Data {
        let (first, second) = (try folder.version("Farm 1"), try folder.version("Farm 2"))
        var writer = ArchiveWriter()
        let hashes = (first.entityVersionHashesByName, second.entityVersionHashesByName)
        let place = writer.add(
            "NSPropertyMapping",
            [
                "NSDestinationPropertyName": writer.add(.string("title")),
                "NSValueExpression": writer.add(.path("title", of: "source")),
            ])
        let request = ArchivedPart.call(
            .variable("manager"), "fetchRequestForSourceEntityNamed:predicateString:",
            [.text("Place"), .text("TRUEPREDICATE")])
        let places = writer.add(
            "NSEntityMapping",
            [
                "NSMappingName": writer.add(.string("PlaceToPlace")), "NSMappingType": .integer(4),
                "NSSourceEntityName": writer.add(.string("Place")),
                "NSSourceEntityVersionHash": writer.add(.data(try #require(hashes.0["Place"]))),
                "NSDestinationEntityName": writer.add(.string("Place")),
                "NSDestinationEntityVersionHash": writer.add(.data(try #require(hashes.1["Place"]))),
                "NSSourceExpression": writer.add(
                    .fetch(request: request, context: .path("sourceContext", of: "manager"))),
                "NSAttributeMappings": writer.add(list: [place]), "NSRelationshipMappings": writer.add(list: []),
                "NSUserInfo": writer.add(notes: ["since": "2"]),
            ])
        let cages = writer.add(
            "NSEntityMapping",
            [
                "NSMappingName": writer.add(.string("Cage")), "NSMappingType": .integer(3),
                "NSSourceEntityName": writer.add(.string("Cage")),
                "NSSourceEntityVersionHash": writer.add(.data(try #require(hashes.0["Cage"]))),
            ])
        let root = writer.add("NSMappingModel", ["NSEntityMappings": writer.add(list: [places, cages])])
        return writer.finished(root)
    }

    @Test("A compiled file is read, found by version hashes, and applied")
    func compiledFiles() throws {
        let folder = try MappingFolder()
        try folder.fill()
        let url = folder.url.appendingPathComponent("Farm1to2.cdm")
        try compiled(folder).write(to: url)
        let mapping = try #require(NSMappingModel(contentsOf: url))
        let place = try #require(mapping.entityMappingsByName["PlaceToPlace"])
        #expect(place.mappingType == .copyEntityMappingType && place.userInfo?["since"] as? String == "2")
        #expect(place.attributeMappings?.map { $0.valueExpression?.description } == ["$source.title"])
        #expect(mapping.entityMappingsByName["Cage"]?.mappingType == .removeEntityMappingType)
        let target = try migrated(folder, mapping)
        try folder.withContext(folder.version("Farm 2"), target) { context in
            let places = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
            #expect(places.map { $0.value(forKey: "title") as? String } == ["Meadow"])
        }
        let bundle = try #require(folder.bundle)
        let (first, second) = (try folder.version("Farm 1"), try folder.version("Farm 2"))
        #expect(NSMappingModel(from: [bundle], forSourceModel: first, destinationModel: second) != nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: second, destinationModel: first) == nil)
        try Data("no archive".utf8).write(to: url)
        #expect(NSMappingModel(contentsOf: url) == nil)
        #expect(NSMappingModel(contentsOf: folder.url.appendingPathComponent("nowhere.xcmappingmodel")) == nil)
        #expect(NSMappingModel(contentsOf: nil) == nil)
    }

    // MARK: Agreement

    @Test("A file with the inferred mapping gives the same objects as inference")
    func inferred() throws {
        let folder = try MappingFolder()
        let first = try folder.version("Farm 1")
        try folder.write(
            MappingFolder.first.replacing("<model>", with: "<model><entity name=\"Barn\"/>"),
            to: "Farm.xcdatamodeld/Farm 3.xcdatamodel/contents")
        let third = try folder.version("Farm 3")
        try folder.fill()
        let inferred = try NSMappingModel.inferredMappingModel(forSourceModel: first, destinationModel: third)
        var text = MappingText(entities: [])
        text.destination = "App/Farm.xcdatamodeld/Farm 3.xcdatamodel"
        text.entities = inferred.entityMappings.map { mapping in
            .init(
                source: mapping.sourceEntityName, destination: mapping.destinationEntityName,
                attributes: (mapping.attributeMappings ?? []).compactMap { $0.name.map { .init($0) } },
                relationships: (mapping.relationshipMappings ?? []).compactMap { $0.name.map { .init($0) } })
        }
        let mapping = try #require(NSMappingModel(contentsOf: try folder.add(text)))
        #expect(mapping.entityMappings.map(\.mappingType) == inferred.entityMappings.map(\.mappingType))
        var contents: [[String]] = []
        for (number, mapping) in [inferred, mapping].enumerated() {
            let target = folder.url.appendingPathComponent("new\(number).sqlite")
            let manager = NSMigrationManager(sourceModel: first, destinationModel: third)
            manager.usesStoreSpecificMigrationManager = false
            try manager.migrateStore(from: folder.store, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
            try folder.withContext(third, target) { context in
                let animals = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Animal"))
                contents.append(
                    animals.map { animal in
                        let keeper = animal.value(forKey: "keeper") as? NSManagedObject
                        return ["name", "age", "kind"].map { "\(animal.value(forKey: $0) ?? "nil")" }
                            .joined(separator: " ") + " \(keeper?.value(forKey: "name") ?? "nil")"
                    }.sorted())
            }
        }
        #expect(contents.first == ["Bo 1 tame Ida", "Rex 3 wild Ida"])
        #expect(contents.first == contents.last)
    }
}
