import CoreData
import Foundation
import ModelText
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Models of Apple's files in the dynamic face", .realFiles)
struct AppleManagedObjectModelTests {
    private static let samples = RealFile.folder.appendingPathComponent("coredataplus")
    private static let text = samples.appendingPathComponent("SampleModel.xcdatamodeld")
    private static let compiled = samples.appendingPathComponent("SampleModel.momd")
    private static let versions = ["SampleModel", "SampleModel2", "SampleModel3"]

    @Test("A file's own model is read completely, and has the file's hashes", arguments: RealFile.all)
    func cached(store: RealFile) throws {
        try store.withCopy { connection in
            let content = try #require(try ModelCache.content(connection))
            let compiled = try CompiledModel(cache: content)
            let model = NSManagedObjectModel(compiled)
            #expect(try model.compiled().descriptions == compiled.model.descriptions)
            #expect(try model.compiled().versionIdentifiers == compiled.model.versionIdentifiers)
            #expect(try NSManagedObjectModel(compiled.model).compiled().descriptions == compiled.model.descriptions)
            let metadata = try StoreMetadata(connection)
            let stored = metadata.versionHashes.mapValues { Data($0.bytes) }
            #expect(model.entityVersionHashesByName == stored)
            #expect(
                model.isConfiguration(
                    withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": stored]))
            if let checksum = metadata.checksum { #expect(model.versionChecksum == checksum) }
            let copy = try #require(model.copy() as? NSManagedObjectModel)
            #expect(try copy.compiled().descriptions == compiled.model.descriptions)
        }
    }

    @Test(
        "A file's own model survives being written as a model file, except for parts that such files lack",
        arguments: RealFile.all)
    func written(store: RealFile) throws {
        let model = try store.model()
        let document = try DocumentModel(xml: Data(DocumentModel(model).xml.utf8))
        let again = try NSManagedObjectModel(document).compiled()
        #expect(again.versionHashes == model.versionHashes)
        for (entity, original) in zip(again.descriptions, model.descriptions) {
            #expect(entity.relationships == original.relationships, "\(entity.name)")
            #expect(entity.indexes == original.indexes, "\(entity.name)")
            #expect(entity.uniquenessConstraints == original.uniquenessConstraints, "\(entity.name)")
            for (attribute, other) in zip(entity.attributes, original.attributes)
            where other.type != .composite && other.type != .binary {
                #expect(attribute == other, "\(entity.name)")
            }
        }
    }

    @Test("Compiled models, and the files they were made from, have the hashes of the list of versions")
    func versionHashes() throws {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: Self.compiled.appendingPathComponent("VersionInfo.plist")), format: nil)
        let wanted = try #require(
            (list as? [String: Any])?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        #expect(wanted.keys.sorted() == Self.versions)
        for name in Self.versions {
            let mom = try #require(
                NSManagedObjectModel(contentsOf: Self.compiled.appendingPathComponent(name + ".mom")))
            #expect(mom.entityVersionHashesByName == wanted[name], "\(name)")
            let text = try #require(
                NSManagedObjectModel(contentsOf: Self.text.appendingPathComponent(name + ".xcdatamodel")))
            #expect(text.entityVersionHashesByName == wanted[name], "\(name)")
            #expect(text.versionIdentifiers == mom.versionIdentifiers, "\(name)")
            #expect(
                try text.compiled().descriptions.map(\.sorted) == mom.compiled().descriptions.map(\.sorted), "\(name)")
            for (entity, other) in zip(try text.sorted(), try mom.sorted()) {
                #expect(entity.managedObjectClassName == other.managedObjectClassName)
            }
        }
    }

    @Test("A package of versions opens its current one, and returns all checksums")
    func packages() throws {
        for url in [Self.text, Self.compiled] {
            let model = try #require(NSManagedObjectModel(contentsOf: url))
            #expect(model.entitiesByName.keys.sorted() == ["Car", "ExpensiveSportCar", "Person", "SportCar"])
            let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: url)
            #expect(checksums.keys.sorted() == Self.versions)
            #expect(checksums["SampleModel"] == model.versionChecksum)
        }
        #expect(
            try NSManagedObjectModel.checksumsForVersionedModel(at: Self.text)
                == NSManagedObjectModel.checksumsForVersionedModel(at: Self.compiled))
    }

    @Test("Xcode's files are written again letter by letter")
    func documents() throws {
        for name in Self.versions {
            let url = Self.text.appendingPathComponent(name + ".xcdatamodel/contents")
            let data = try Data(contentsOf: url)
            #expect(try DocumentModel(xml: data).xml == String(decoding: data, as: UTF8.self), "\(name)")
        }
    }

    @Test("The model for a store is found among the versions")
    func forStore() throws {
        let versions = try Self.versions.map { name in
            try #require(NSManagedObjectModel(contentsOf: Self.compiled.appendingPathComponent(name + ".mom")))
        }
        let stores = ["coredataplus/SampleModel_V1.sqlite": 0, "coredataplus/SampleModel_V2.sqlite": 1]
        for (path, index) in stores {
            try RealFile(path).withCopy { connection in
                let hashes = try StoreMetadata(connection).versionHashes.mapValues { Data($0.bytes) }
                let metadata = ["NSStoreModelVersionHashes": hashes as Any]
                let found = try #require(NSManagedObjectModel(byMerging: versions, forStoreMetadata: metadata))
                #expect(found.versionChecksum == versions[index].versionChecksum)
            }
        }
    }

    @Test("Parts of a cache that the engine does not need are read too")
    func details() throws {
        let content = try RealFile("coredataplus/SampleModel2_V1.sqlite").withCopy { connection in
            try #require(try ModelCache.content(connection))
        }
        let compiled = try CompiledModel(cache: content)
        let details = compiled.details
        #expect(details.configurations.keys.sorted() == ["SampleConfigurationV1"])
        let title = try #require(details.entities["Book"]?.properties["title"])
        #expect(title.validationPredicates == ["(length >= 3) AND (length <= 50)", "SELF CONTAINS \"title\""])
        #expect(title.validationWarnings.compactMap(\.stringValue).count == 2)
        let fetched = try #require(details.entities["Author"]?.fetchedProperties)
        #expect(fetched.map(\.name) == ["favFeedbacks", "feedbacks"])
        #expect(
            fetched.map(\.request.predicate) == [
                "(authorAlias == $FETCH_SOURCE.alias) AND (comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search)",
                "authorAlias == $FETCH_SOURCE.alias",
            ])
        #expect(fetched.first?.userInfo == ["search": .string("great")])
        #expect(fetched.last?.request.sort.map(\.keyPath) == ["rating"])

        let model = NSManagedObjectModel(compiled)
        #expect(model.configurations == ["SampleConfigurationV1"])
        #expect(model.entities(forConfigurationName: "SampleConfigurationV1")?.count == 6)
        let author = try #require(model.entitiesByName["Author"])
        #expect(author.managedObjectClassName == "Author")
        #expect(author.propertiesByName["feedbacks"] is NSFetchedPropertyDescription)
        #expect(author.propertiesByName["favFeedbacks"]?.userInfo?["search"] as? String == "great")
        let rules = try #require(model.entitiesByName["Book"]?.attributesByName["title"]?.validationPredicates)
        #expect(rules.map { $0.evaluate(with: "a title") } == [true, true])
        #expect(rules.map { $0.evaluate(with: "ab") } == [false, false])
        let feedbacks = try #require(author.propertiesByName["feedbacks"] as? NSFetchedPropertyDescription)
        #expect(feedbacks.fetchRequest?.entity === model.entitiesByName["Feedback"])
        #expect(feedbacks.fetchRequest?.sortDescriptors?.map(\.key) == ["rating"])
    }

    @Test("A store opens with the model in the file, and its objects are read", arguments: RealFile.all)
    func opening(store: RealFile) throws {
        try store.withCopiedFile { url in
            let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url)
            #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let opened = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
            defer { try? coordinator.remove(opened) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let roots = model.entitiesByName.values.filter { $0.superentity == nil }.compactMap(\.name)
            let counts = try context.performAndWait {
                try roots.map { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0)) }
            }
            #expect(counts.reduce(0, +) > 0)
        }
    }

    private static let rounds = Seeds.damagedInputs(60)

    @Test("Damaged compiled models are refused, or read as other models", arguments: [21, 22] as [UInt64])
    func damaged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for name in Self.versions {
            let original = Array(try Data(contentsOf: Self.compiled.appendingPathComponent(name + ".mom")))
            for _ in 0..<Self.rounds {
                var bytes = original
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                guard let compiled = try? CompiledModel(mom: Data(bytes)) else {
                    refused += 1
                    continue
                }
                _ = NSManagedObjectModel(compiled).entityVersionHashesByName
            }
        }
        #expect(refused > 0, "seed \(seed)")
    }
}

extension NSManagedObjectModel {
    fileprivate func sorted() throws -> [NSEntityDescription] {
        entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
}

extension EntityDescription {
    /// Archives keep no order of properties; model files do.
    fileprivate var sorted: EntityDescription {
        var copy = self
        copy.attributes.sort { $0.name.precedesByBytes($1.name) }
        copy.relationships.sort { $0.name.precedesByBytes($1.name) }
        return copy
    }
}
