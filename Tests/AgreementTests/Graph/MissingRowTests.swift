import Testing

@testable import ObjectGraph
@testable import SQLiteStore

/// References to rows that do not exist.
@Suite("Missing rows")
struct MissingRowTests {
    let shop: PetShop
    let graph: Graph

    init() throws {
        shop = try PetShop(petCount: 12)
        graph = shop.graph()
    }

    /// Deletes the last owner or pet without notifying `graph`, which has not read it.
    private func deleteLast(_ entityName: String) throws -> ObjectID {
        let other = shop.graph()
        let last = try #require(other.fetch(Query(entityIndex: try shop.entity(entityName).index)).last)
        try other.delete([last])
        try other.save()
        return last.id
    }

    @Test("A reference to a missing row sorts like nil, in SQL as in memory")
    func sorting() throws {
        try shop.store.pool.withWriter { try $0.execute("DELETE FROM ZOWNER WHERE Z_PK = 3") }
        var query = Query(entityIndex: try shop.entity("Pet").index)
        query.sort = [SortKey(.identity(try shop.owner())), SortKey(try shop.attribute("age"))]
        let fetched = try graph.fetch(query).map(\.id)
        #expect(try fetched == shop.graph().fetchEvaluating(query).map(\.id))
    }

    @Test("An object whose row is missing becomes no member")
    func member() throws {
        let pets = try shop.relationship("pets", of: "Owner")
        let owner = try shop.add("Owner", [:], to: graph)
        let pet = try #require(graph.record(for: try deleteLast("Pet")))
        Graph.link(graph.member(owner), pets, to: [graph.member(pet)])
        #expect(graph.memberIDs(of: owner, pets).isEmpty && pet.isGone)
    }

    @Test("An object whose row is missing becomes no destination, so that the save writes no reference to it")
    func destination() throws {
        let pet = try shop.add("Pet", [:], to: graph)
        let owner = try #require(graph.record(for: try deleteLast("Owner")))
        graph.setDestination(of: pet, try shop.relationship("owner", of: "Pet"), to: owner)
        let slot = try #require(try shop.relationship("owner", of: "Pet").slot)
        #expect(pet.value(slot) == .null)
    }
}
