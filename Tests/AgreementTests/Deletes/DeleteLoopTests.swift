import SQLiteStore
import Testing

@testable import ObjectGraph

/// A loop over `delete(_:)` reads nothing; objects affected by delete rules are read for all deletes together, when needed.
@Suite("Loops that delete objects")
struct DeleteLoopTests {
    @Test("Deleting members one by one costs one set of statements")
    func listedObjects() throws {
        let farm = try Farm(animalCount: 300)
        let graph = farm.graph()
        let owner = try #require(try graph.fetch(farm.query("Owner")).first)
        let animals = graph.members(of: owner, try farm.relationship("animals", of: "Owner"))
        #expect(animals.count == 300)
        farm.statements.withLock { $0 = [] }
        for animal in animals { graph.deleteLater(animal) }
        #expect(farm.readCount == 0)
        #expect(graph.deletedRecords.count == 900)
        #expect(farm.readCount <= 8, "\(farm.statements.withLock { $0 })")
        try graph.save()
        #expect(try farm.counts() == [1, 0, 0, 1])
    }

    @Test("Deleting fetched objects one by one costs one set of statements, and leaves those in between")
    func fetchedObjects() throws {
        let farm = try Farm(animalCount: 300)
        let graph = farm.graph()
        let animals = try graph.fetch(farm.query("Animal"))
        farm.statements.withLock { $0 = [] }
        for (index, animal) in animals.enumerated() where index % 4 != 3 { graph.deleteLater(animal) }
        #expect(farm.readCount == 0)
        #expect(graph.deletedRecords.count == 3 * 225)
        #expect(farm.readCount <= 8, "\(farm.statements.withLock { $0 })")
        #expect(animals.enumerated().allSatisfy { $1.isDeleted == ($0 % 4 != 3) })
        try graph.save()
        #expect(try farm.counts() == [1, 75, 150, 1])
        let rest = farm.graph()
        let links = try farm.relationship("tags", of: "Animal")
        #expect(try rest.fetch(farm.query("Animal")).allSatisfy { rest.memberIDs(of: $0, links).count == 1 })
    }
}

/// One owner with animals, two visits for each, and one tag for all.
private struct Farm {
    let model: Model
    let store: SQLiteStore
    let face = TestFace()
    let statements = Locked<[String]>([])

    init(animalCount: Int) throws {
        model = try Model([
            Self.entity("Owner", [Relationship("animals", to: "Animal", .toMany, inverse: "owner")]),
            Self.entity(
                "Animal",
                [
                    Relationship("owner", to: "Owner", .toOne, inverse: "animals"),
                    Relationship("visits", to: "Visit", .toMany, inverse: "animal", deleteRule: .cascade),
                    Relationship("tags", to: "Tag", .toMany, inverse: "animals"),
                ]),
            Self.entity("Visit", [Relationship("animal", to: "Animal", .toOne, inverse: "visits")]),
            Self.entity("Tag", [Relationship("animals", to: "Animal", .toMany, inverse: "tags")]),
        ])
        var options = SQLiteStore.Options()
        let statements = statements
        options.onStatement = { sql in statements.withLock { $0.append(sql) } }
        store = try SQLiteStore(model: model, location: .memory, options: options)
        try fill(animalCount)
    }

    private static func entity(_ name: String, _ relationships: [Relationship]) -> EntityDescription {
        var description = EntityDescription(name)
        description.attributes = [Attribute("name", .string, optional: true)]
        description.relationships = relationships
        return description
    }

    private func fill(_ animalCount: Int) throws {
        let graph = graph()
        let owner = newMember(try entity("Owner"))
        let tag = newMember(try entity("Tag"))
        graph.insert(owner)
        graph.insert(tag)
        for _ in 0..<animalCount {
            let animal = newMember(try entity("Animal"))
            Graph.link(animal, try relationship("owner", of: "Animal"), to: [owner])
            Graph.link(animal, try relationship("tags", of: "Animal"), to: [tag])
            for _ in 0..<2 {
                Graph.link(newMember(try entity("Visit")), try relationship("animal", of: "Visit"), to: [animal])
            }
        }
        try graph.save()
    }

    func graph() -> Graph { Graph(model: model, store: store, face: face) }

    func entity(_ name: String) throws -> Entity { try #require(model.entity(named: name)) }

    func relationship(_ name: String, of entityName: String) throws -> EntityRelationship {
        try #require(try entity(entityName).relationships.first { $0.name == name })
    }

    func query(_ name: String) throws -> Query { Query(entityIndex: try entity(name).index) }

    /// Rows of each entity, in the model's order of names above.
    func counts() throws -> [Int] {
        try ["Owner", "Animal", "Visit", "Tag"].map { try store.count(query($0)) }
    }

    var readCount: Int { statements.withLock { $0.count { $0.hasPrefix("SELECT") } } }
}
