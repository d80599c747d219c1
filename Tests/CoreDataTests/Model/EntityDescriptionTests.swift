import Foundation
import Testing

@testable import CoreData

@Suite("Descriptions of entities")
struct EntityDescriptionTests {
    @Test("A subentity has the properties of those above it, first")
    func inheritance() throws {
        let model = ModelZoo.zoo()
        let (animal, bird) = (try #require(model.entitiesByName["Animal"]), try #require(model.entitiesByName["Bird"]))
        #expect(bird.superentity === animal)
        #expect(animal.subentitiesByName["Bird"] === bird)
        #expect(bird.isKindOf(entity: animal) && !animal.isKindOf(entity: bird))
        #expect(bird.properties.map(\.name) == ["name", "legs", "home", "wingspan"])
        #expect(bird.attributesByName.keys.sorted() == ["legs", "name", "wingspan"])
        #expect(bird.relationshipsByName["home"] === animal.relationshipsByName["home"])
        #expect(bird.map(\.name) == bird.properties.map(\.name))
    }

    @Test("Setting properties that include inherited ones adds none twice")
    func readModifyWrite() throws {
        let model = ModelZoo.zoo()
        let bird = try #require(model.entitiesByName["Bird"])
        bird.properties.append(ModelZoo.attribute("song", .string))
        #expect(bird.properties.map(\.name) == ["name", "legs", "home", "wingspan", "song"])
        #expect(bird.ownProperties.map(\.name) == ["wingspan", "song"])
        #expect(try model.compiled().entity(named: "Bird")?.attributes.count == 4)
    }

    @Test("Changing properties or subentities drops indexes")
    func indexesDropped() throws {
        let animal = try #require(ModelZoo.zoo().entitiesByName["Animal"])
        #expect(animal.indexes.map(\.name) == ["byLegs"])
        #expect(animal.indexes.first?.elements.first?.indexDescription === animal.indexes.first)
        animal.properties.append(ModelZoo.attribute("song", .string))
        #expect(animal.indexes.isEmpty)
    }

    @Test("Constraints may be set as properties, and are returned as names")
    func constraints() {
        let name = ModelZoo.attribute("name", .string)
        let entity = ModelZoo.entity("Animal", [name])
        entity.uniquenessConstraints = [[name], ["name", name]]
        #expect(entity.uniquenessConstraints as? [[String]] == [["name"], ["name", "name"]])
    }

    @Test("relationships(forDestination:) finds relationships to an entity and to its superentities")
    func destinations() throws {
        let model = ModelZoo.zoo()
        let enclosure = try #require(model.entitiesByName["Enclosure"])
        let bird = try #require(model.entitiesByName["Bird"])
        #expect(enclosure.relationships(forDestination: bird).map(\.name) == ["inhabitants"])
        #expect(bird.relationships(forDestination: enclosure).map(\.name) == ["home"])
        let inhabitants = try #require(enclosure.relationshipsByName["inhabitants"])
        #expect(inhabitants.isToMany && inhabitants.inverseRelationship?.name == "home")
        #expect(inhabitants.inverseRelationship?.isToMany == false)
    }

    @Test("Missing names have defaults: class, renaming identifier, class of values")
    func defaults() {
        let entity = ModelZoo.entity("Animal", [ModelZoo.attribute("born", .date)])
        #expect(entity.managedObjectClassName == "NSManagedObject")
        entity.managedObjectClassName = "Zoo.Animal"
        #expect(entity.managedObjectClassName == "Zoo.Animal")
        entity.managedObjectClassName = nil
        #expect(entity.managedObjectClassName == "NSManagedObject")
        #expect(entity.renamingIdentifier == "Animal")
        #expect(entity.attributesByName["born"]?.renamingIdentifier == "born")
        #expect(entity.attributesByName["born"]?.attributeValueClassName == "NSDate")
        #expect(entity.managedObjectModel.entities.isEmpty)
        #expect(NSPropertyDescription().entity.name == nil)
        #expect(NSAttributeDescription().isOptional && !NSAttributeDescription().isTransient)
        #expect(NSRelationshipDescription().deleteRule == .nullifyDeleteRule)
    }

    @Test("Every attribute type has the same number under both names")
    func types() {
        let pairs: [(NSAttributeDescription.AttributeType, UInt)] = [
            (.undefined, 0), (.integer16, 100), (.integer32, 200), (.integer64, 300), (.decimal, 400), (.double, 500),
            (.float, 600), (.string, 700), (.boolean, 800), (.date, 900), (.binaryData, 1000), (.uuid, 1100),
            (.uri, 1200), (.transformable, 1800), (.objectID, 2000), (.composite, 2100),
        ]
        for (type, number) in pairs {
            let attribute = ModelZoo.attribute("a", type)
            #expect(attribute.attributeType.rawValue == number)
            #expect(attribute.type == type)
        }
        #expect(NSCompositeAttributeDescription().type == .composite)
    }
}
