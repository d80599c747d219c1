import Foundation
import ObjectGraph
import Testing

@testable import CoreData

@Suite("Managed object models")
struct ManagedObjectModelTests {
    @Test("A model in use cannot be changed; its copy can")
    func freezing() throws {
        let model = ModelZoo.zoo()
        let engine = try model.freeze()
        #expect(try model.freeze() === engine)
        let animal = try #require(model.entitiesByName["Animal"])
        animal.name = "Beast"
        animal.properties = []
        animal.attributesByName["legs"]?.isOptional = false
        animal.attributesByName["legs"]?.defaultValue = 4
        animal.indexes.first?.name = "other"
        animal.uniquenessConstraints = []
        model.entities = []
        model.setEntities([], forConfigurationName: "Places")
        model.entitiesByName["Enclosure"]?.relationshipsByName["inhabitants"]?.minCount = 5
        #expect(model.entitiesByName.keys.sorted() == ["Animal", "Bird", "Enclosure"])
        #expect(animal.attributesByName["legs"]?.isOptional == true)
        #expect(animal.attributesByName["legs"]?.defaultValue == nil)
        #expect(animal.indexes.map(\.name) == ["byLegs"])
        #expect(animal.uniquenessConstraints as? [[String]] == [["name"]])
        #expect(model.configurations == ["Places"])
        #expect(model.entityDescription(at: try #require(animal.engineIndex)) === animal)
        #expect(try model.compiled().descriptions == ModelZoo.zoo().compiled().descriptions)

        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.entitiesByName["Animal"]?.name = "Beast"
        #expect(copy.entitiesByName["Beast"] != nil)
        #expect(try copy.compiled().entity(named: "Enclosure")?.relationship(named: "inhabitants") != nil)
        #expect(model.entitiesByName["Animal"] === animal)
    }

    @Test("A copy equals the model in every part")
    func copies() throws {
        let model = ModelZoo.zoo()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(try copy.compiled().descriptions == model.compiled().descriptions)
        #expect(copy.versionIdentifiers == model.versionIdentifiers)
        #expect(copy.entities(forConfigurationName: "Places")?.map(\.name) == ["Enclosure"])
        let bird = try #require(copy.entitiesByName["Bird"])
        #expect(bird !== model.entitiesByName["Bird"])
        #expect(bird.superentity === copy.entitiesByName["Animal"])
        let inhabitants = try #require(copy.entitiesByName["Enclosure"]?.relationshipsByName["inhabitants"])
        #expect(inhabitants.destinationEntity === copy.entitiesByName["Animal"])
        #expect(inhabitants.inverseRelationship === copy.entitiesByName["Animal"]?.relationshipsByName["home"])
        #expect(
            copy.entitiesByName["Animal"]?.indexes.first?.elements.first?.property
                === copy.entitiesByName["Animal"]?.attributesByName["legs"])
    }

    @Test("Two threads may begin to use a model at once")
    func freezingTogether() async throws {
        let model = ModelZoo.zoo()
        // Handed to tasks that only freeze it, which takes the model's lock.
        nonisolated(unsafe) let shared = model
        let engines = try await withThrowingTaskGroup(of: Model.self) { group in
            for _ in 0..<8 { group.addTask { try shared.freeze() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(engines.allSatisfy { $0 === engines.first })
    }

    @Test("Hashes and checksum are those of the engine's model")
    func hashes() throws {
        let model = ModelZoo.zoo()
        let engine = try model.compiled()
        #expect(model.entityVersionHashesByName == engine.versionHashes.mapValues { Data($0.bytes) })
        #expect(model.versionChecksum == VersionHash.checksum(of: engine.versionHashes))
        let animal = try #require(model.entitiesByName["Animal"])
        #expect(animal.versionHash == model.entityVersionHashesByName["Animal"])
        #expect(animal.attributesByName["name"]?.versionHash.count == 32)
        #expect(animal.relationshipsByName["home"]?.versionHash.count == 32)
        let before = animal.versionHash
        animal.attributesByName["name"]?.versionHashModifier = "2"
        #expect(animal.versionHash != before)
        animal.attributesByName["name"]?.versionHashModifier = nil
        animal.attributesByName["name"]?.defaultValue = "Rex"
        animal.indexes = []
        #expect(animal.versionHash == before)
        let lone = ModelZoo.entity("Note", [ModelZoo.attribute("a", .string)])
        #expect(lone.versionHash == ModelZoo.model([lone]).entityVersionHashesByName["Note"])
    }

    @Test("A model is compatible with metadata of its hashes, also by configuration")
    func compatibility() throws {
        let model = ModelZoo.zoo()
        let hashes = model.entityVersionHashesByName
        let whole = ["NSStoreModelVersionHashes": hashes as Any]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: whole))
        #expect(!model.isConfiguration(withName: "Places", compatibleWithStoreMetadata: whole))
        let part = ["NSStoreModelVersionHashes": hashes.filter { $0.key == "Enclosure" } as Any]
        #expect(model.isConfiguration(withName: "Places", compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: "None", compatibleWithStoreMetadata: whole))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    }

    @Test("Merging combines models, and refuses two different entities of one name")
    func merging() throws {
        let other = ModelZoo.model([ModelZoo.entity("Note", [ModelZoo.attribute("a", .string)])])
        other.versionIdentifiers = ["2"]
        let merged = try #require(NSManagedObjectModel(byMerging: [ModelZoo.zoo(), other, ModelZoo.zoo()]))
        #expect(merged.entitiesByName.keys.sorted() == ["Animal", "Bird", "Enclosure", "Note"])
        #expect(merged.versionIdentifiers == ["1", "2"])
        #expect(merged.configurations == ["Places"])
        #expect(try merged.compiled().versionHashes["Bird"] == ModelZoo.zoo().compiled().versionHashes["Bird"])
        let clash = ModelZoo.model([ModelZoo.entity("Note", [ModelZoo.attribute("b", .string)])])
        #expect(NSManagedObjectModel(byMerging: [other, clash]) == nil)
        #expect(NSManagedObjectModel(byMerging: nil)?.entities.isEmpty == true)
    }

    @Test("Merging for a store selects the entities it was written with")
    func mergingForStore() throws {
        let old = ModelZoo.zoo()
        let new = ModelZoo.zoo()
        new.entitiesByName["Animal"]?.properties.append(ModelZoo.attribute("song", .string))
        let metadata = ["NSStoreModelVersionHashes": old.entityVersionHashesByName as Any]
        let found = try #require(NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        #expect(found.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
        let note = ModelZoo.model([ModelZoo.entity("Note")])
        let both = old.entityVersionHashesByName.merging(note.entityVersionHashesByName) { first, _ in first }
        let united = NSManagedObjectModel(
            byMerging: [new, note, old], forStoreMetadata: ["NSStoreModelVersionHashes": both])
        #expect(united?.entitiesByName.keys.sorted() == ["Animal", "Bird", "Enclosure", "Note"])
    }
}

@Suite("Fetch request templates of models")
struct FetchRequestTemplateTests {
    private func request(_ format: String) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Animal")
        request.predicate = NSPredicate(format: format)
        request.fetchLimit = 3
        return request
    }

    @Test("A template is returned as a copy, with its variables substituted")
    func templates() throws {
        let model = ModelZoo.zoo()
        model.setFetchRequestTemplate(request("name BEGINSWITH $LETTER"), forName: "byLetter")
        let template = try #require(model.fetchRequestTemplate(forName: "byLetter"))
        #expect(template.entity === model.entitiesByName["Animal"])
        #expect(template.fetchLimit == 3)
        template.fetchLimit = 9
        #expect(model.fetchRequestTemplatesByName["byLetter"]?.fetchLimit == 3)
        let bound = model.fetchRequestFromTemplate(withName: "byLetter", substitutionVariables: ["LETTER": "R"])
        #expect(bound?.predicate?.formatText == "name BEGINSWITH \"R\"")
        #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.fetchRequestTemplate(forName: "byLetter")?.entity === copy.entitiesByName["Animal"])
        _ = try model.freeze()
        model.setFetchRequestTemplate(nil, forName: "byLetter")
        #expect(model.fetchRequestTemplate(forName: "byLetter") != nil)
        copy.setFetchRequestTemplate(nil, forName: "byLetter")
        #expect(copy.fetchRequestTemplatesByName.isEmpty)
    }

    @Test("A fetched property keeps its request")
    func fetchedProperties() throws {
        let property = NSFetchedPropertyDescription()
        property.name = "namesakes"
        property.fetchRequest = request("name == $FETCH_SOURCE.name")
        let model = ModelZoo.zoo()
        model.entitiesByName["Enclosure"]?.properties.append(property)
        #expect(property.fetchRequest?.entity === model.entitiesByName["Animal"])
        #expect(try model.compiled().entity(named: "Enclosure")?.attributes.count == 1)
    }
}
