import Testing

@testable import ObjectGraph
@testable import SQLiteStore

/// Groups of so many rows that the store computes them.
@Suite("Groups whose rows are not held")
struct GroupSummaryTests {
    let shop: PetShop
    let graph: Graph
    let other: Graph
    let follower: LiveFollower

    init() throws {
        shop = try PetShop(petCount: 60)
        graph = shop.graph()
        other = shop.graph()
        follower = try #require(LiveFollower(graph))
    }

    /// The number and the sum of the ages of the pets of each owner.
    private func byOwner() throws -> GroupQuery {
        GroupQuery(
            Query(entityIndex: try shop.entity("Pet").index), by: [.identity(try shop.owner())],
            results: [.init(.count, of: .identity(.variable(.root))), .init(.sum, of: try shop.attribute("age"))])
    }

    private func followed() throws -> LiveAggregate {
        try follower.follow(byOwner(), HoldingRule(rowsHeldAtOnce: 10))
    }

    private func update() { _ = follower.update { Issue.record($0) } }

    /// Sets the age of some pets in another context, and merges that.
    private func setAge(_ age: Int64, ofPets count: Int) throws {
        for pet in try other.fetch(shop.pets()).prefix(count) {
            pet.setValue(.integer(age), at: try shop.slot("age", of: "Pet"))
        }
        graph.inbox.post(try other.save())
        update()
    }

    private func expectGroups(of aggregate: LiveAggregate, _ location: SourceLocation = #_sourceLocation) throws {
        let expected = Set(try shop.graph().groups(byOwner()))
        #expect(Set(aggregate.groups) == expected, sourceLocation: location)
    }

    @Test("They are one statement, and no row is read")
    func oneStatement() throws {
        var aggregate: LiveAggregate?
        let queries = try shop.queries { aggregate = try followed() }
        #expect(queries.count == 1 && queries.first?.contains("GROUP BY") == true, "\(queries)")
        #expect(graph.registeredRecords.isEmpty)
        try expectGroups(of: #require(aggregate))
    }

    @Test("After sixteen changes of few rows these are held, and further ones followed")
    func held() throws {
        let aggregate = try followed()
        for round in 1...20 {
            try setAge(Int64(100 + round), ofPets: 2)
            #expect(aggregate.results.holdsRows == (round >= 16))
            try expectGroups(of: aggregate)
        }
        #expect(aggregate.results.counts.refetches == [.rowsNotHeld: 16])
    }

    @Test("After changes of many rows these are neither held nor read")
    func manyRows() throws {
        let aggregate = try followed()
        for round in 1...20 {
            try setAge(Int64(100 + round), ofPets: 30)
            try expectGroups(of: aggregate)
        }
        #expect(!aggregate.results.holdsRows)
        #expect(graph.registeredRecords.isEmpty)
    }

    @Test("A change that cannot be followed gives up the rows, and twice as many must come then")
    func givenUp() throws {
        let aggregate = try followed()
        for round in 1...16 { try setAge(Int64(100 + round), ofPets: 2) }
        try other.delete(matching: shop.pets(from: 110))
        try other.save()
        graph.inbox.post(.overflow)
        update()
        #expect(!aggregate.results.holdsRows)
        try expectGroups(of: aggregate)
        for round in 1...32 {
            #expect(!aggregate.results.holdsRows)
            try setAge(Int64(10 + round % 3), ofPets: 2)
        }
        #expect(aggregate.results.holdsRows)
        try expectGroups(of: aggregate)
    }

    @Test("With unsaved changes the rows are held")
    func unsaved() throws {
        let aggregate = try followed()
        try shop.add("Pet", ["age": .integer(7)], to: graph)
        update()
        #expect(aggregate.results.holdsRows)
        #expect(aggregate.groups.first?.results == [.integer(1), .integer(7)])
    }
}
