import Testing

@testable import ObjectGraph

@Suite("Restricted models")
struct RestrictionTests {
    /// Unrelated notes; animals with dogs and cats as subentities, and their owners.
    private func model() throws -> Model {
        var animal = EntityDescription("Animal")
        animal.relationships = [
            Relationship("owner", to: "Owner", .toOne, inverse: "animals")
        ]
        var owner = EntityDescription("Owner")
        owner.relationships = [
            Relationship("animals", to: "Animal", .toMany, inverse: "owner")
        ]
        return try Model([
            EntityDescription("Note"), animal, EntityDescription("Dog", superentity: "Animal"), owner,
            EntityDescription("Cat", superentity: "Animal"),
        ])
    }

    @Test("entities keep the indexes of the whole model, and refer to each other by them")
    func indexes() throws {
        let part = try model().restricted(to: ["Animal", "Owner", "Cat"])
        #expect(part.entities.map(\.name) == ["Animal", "Owner", "Cat"])
        #expect(part.entities.map(\.index) == [1, 3, 4])
        #expect((0..<6).map(part.has) == [false, true, false, true, true, false])
        let animal = try #require(part.entity(named: "Animal"))
        #expect(animal.familyIndexes == [1, 4] && animal.subentityIndexes == [4])
        #expect(animal.relationships.map(\.destinationIndex) == [3])
        #expect(part.entity(named: "Dog") == nil && part.entity(at: 2) == nil)
        #expect(part[2].name == "Dog")
        #expect(part.isKind(4, of: 1) && !part.isKind(3, of: 1))
        #expect(PerEntity(part, \.name).map { $0 } == ["Animal", "Owner", "Cat"])
        #expect((0..<6).map(PerEntity(part, \.name).element) == [nil, "Animal", nil, "Owner", "Cat", nil])
    }

    @Test("version hashes and numbers of a restricted model equal those of a model of the same entities alone")
    func hashes() throws {
        let whole = try model()
        let part = try whole.restricted(to: ["Animal", "Owner", "Cat"])
        let alone = try Model(whole.descriptions.filter { ["Animal", "Owner", "Cat"].contains($0.name) })
        #expect(part.versionHashes == alone.versionHashes)
        #expect(part.numberedWithoutGaps.entities.map(\.index) == [0, 1, 2])
        #expect(alone.numberedWithoutGaps === alone)
        #expect(try part.restricted(to: ["Animal", "Owner"]).entities.map(\.index) == [1, 3])
        #expect(try whole.restricted(to: Set(whole.entities.map(\.name))) === whole)
    }

    @Test("an entity that is needed cannot be left out")
    func needed() throws {
        #expect(throws: ModelError.self) { try model().restricted(to: ["Dog"]) }
        #expect(throws: ModelError.self) { try model().restricted(to: ["Owner"]) }
    }
}
