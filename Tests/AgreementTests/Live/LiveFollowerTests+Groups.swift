import Testing

@testable import ObjectGraph

/// Groups of so many rows that the store computes them.
extension LiveFollowerTests {
    /// The number and the sum of the ages of the pets of each owner.
    private func byOwner() throws -> GroupQuery {
        GroupQuery(
            Query(entityIndex: try shop.entity("Pet").index), by: [.identity(try shop.owner())],
            results: [.init(.count, of: .identity(.variable(.root))), .init(.sum, of: try shop.attribute("age"))])
    }

    private func followed() throws -> LiveAggregate {
        try follower.follow(byOwner(), HoldingRule(rowsHeldAtOnce: 10))
    }

    /// Sets the age of some pets in another context, and merges that.
    private func setAge(_ age: Int64, ofPets count: Int) throws {
        for pet in try other.fetch(shop.pets()).prefix(count) {
            pet.setValue(.integer(age), at: try shop.slot("age", of: "Pet"))
        }
        graph.inbox.post(try other.save())
        _ = update()
    }

    private func expectGroups(of aggregate: LiveAggregate, _ location: SourceLocation = #_sourceLocation) throws {
        let expected = Set(try shop.graph().groups(byOwner()))
        #expect(Set(aggregate.groups) == expected, sourceLocation: location)
    }

    @Test("Groups of many rows are one statement, and no row is read")
    func groupsNotHeld() throws {
        var aggregate: LiveAggregate?
        let queries = try shop.queries { aggregate = try followed() }
        #expect(queries.count == 1 && queries.first?.contains("GROUP BY") == true, "\(queries)")
        #expect(graph.registeredRecords.isEmpty)
        try expectGroups(of: #require(aggregate))
    }

    @Test("After sixteen changes of few rows the rows of groups are held, and further changes followed")
    func groupsHeld() throws {
        let aggregate = try followed()
        for round in 1...20 {
            try setAge(Int64(100 + round), ofPets: 2)
            #expect(aggregate.results.holdsRows == (round >= 16))
            try expectGroups(of: aggregate)
        }
        #expect(aggregate.results.counts.refetches == [.rowsNotHeld: 16])
    }

    @Test("After changes of many rows the rows of groups are neither held nor read")
    func groupsOfManyChanges() throws {
        let aggregate = try followed()
        for round in 1...20 {
            try setAge(Int64(100 + round), ofPets: 30)
            try expectGroups(of: aggregate)
        }
        #expect(!aggregate.results.holdsRows)
        #expect(graph.registeredRecords.isEmpty)
    }

    @Test("After a change that is not listed, rows of groups are held again only after twice as many changes")
    func groupsGivenUp() throws {
        let aggregate = try followed()
        for round in 1...16 { try setAge(Int64(100 + round), ofPets: 2) }
        try other.delete(matching: shop.pets(from: 110))
        try other.save()
        graph.inbox.post(.overflow)
        _ = update()
        #expect(!aggregate.results.holdsRows)
        try expectGroups(of: aggregate)
        for round in 1...32 {
            #expect(!aggregate.results.holdsRows)
            try setAge(Int64(10 + round % 3), ofPets: 2)
        }
        #expect(aggregate.results.holdsRows)
        try expectGroups(of: aggregate)
    }

    @Test("With unsaved changes the rows of groups are held")
    func unsavedGroups() throws {
        let aggregate = try followed()
        try shop.add("Pet", ["age": .integer(7)], to: graph)
        _ = update()
        #expect(aggregate.results.holdsRows)
        #expect(aggregate.groups.first?.results == [.integer(1), .integer(7)])
    }

    @Test("A known number of rows is counted again when rows are inserted, in one statement that only counts")
    func knownCount() throws {
        let query = GroupQuery(
            Query(entityIndex: try shop.entity("Pet").index), by: [],
            results: [.init(.count, of: .identity(.variable(.root)))])
        let aggregate = follower.follow(query, knowing: GroupSummary(rowCount: 60))
        func queries(afterAdding entityName: String) throws -> [String] {
            try shop.add(entityName, [:], to: other)
            graph.inbox.post(try other.save())
            return shop.queries { _ = update() }
        }
        for round in 0..<20 {
            #expect(aggregate.groups == [RowGroup(keys: [], results: [.integer(Int64(60 + round))])])
            let queries = try queries(afterAdding: "Pet")
            #expect(queries.count == 1 && queries.first?.hasPrefix("SELECT count(*) FROM ") == true, "\(queries)")
        }
        #expect(try queries(afterAdding: "Owner").isEmpty)
        #expect(!aggregate.results.holdsRows && graph.registeredRecords.isEmpty)
    }
}
