import Foundation
import ModelText
import ObjectGraph
import Testing

@Suite("Model files from the engine's models")
struct DocumentFromEngineTests {
    private func model() throws -> Model {
        var animal = EntityDescription("Animal")
        animal.isAbstract = true
        var legs = Attribute("legs", .integer16)
        legs.defaultValue = [.integer(4)]
        var tame = Attribute("tame", .boolean)
        tame.defaultValue = [.integer(1)]
        var born = Attribute("born", .date, optional: true)
        born.defaultValue = [.real(1.5)]
        var count = Attribute("friendCount", .integer64, optional: true)
        count.derivation = "count:(friends)"
        animal.attributes = [legs, tame, born, count]
        var friends = Relationship("friends", to: "Bird", .toMany, inverse: "friends")
        friends.isOrdered = true
        friends.maximumCount = 7
        animal.uniquenessConstraints = [["legs", "born"]]
        animal.indexes = [FetchIndex(name: "byLegs", propertyNames: ["legs"])]
        var bird = EntityDescription("Bird", superentity: "Animal")
        bird.renamingIdentifier = "Fowl"
        bird.relationships = [friends]
        animal.attributes.removeLast()
        bird.attributes = [count]
        return try Model([animal, bird], versionIdentifiers: ["7"])
    }

    @Test("All features of a model file are written, and read again")
    func written() throws {
        let document = DocumentModel(try model())
        let read = try DocumentModel(xml: Data(document.xml.utf8))
        #expect(read == document)
        #expect(read.versionIdentifier == "7")
        let animal = try #require(read.entity(named: "Animal"))
        #expect(animal.attributes.map(\.defaultText) == ["4", "YES", nil])
        #expect(animal.attributes.map(\.defaultDate) == [nil, nil, 1.5])
        #expect(animal.attributes.map(\.usesScalarType) == [true, true, false])
        #expect(animal.uniquenessConstraints == [["legs", "born"]])
        let bird = try #require(read.entity(named: "Bird"))
        #expect(bird.parentName == "Animal")
        #expect(bird.renamingIdentifier == "Fowl")
        #expect(bird.attributes.first?.derivation == "count:(friends)")
        #expect(bird.relationships.first?.maximumCount == 7)
        #expect(bird.relationships.first?.inverseEntityName == "Bird")
    }
}
