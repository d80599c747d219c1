import Testing

@testable import ObjectGraph

/// What following a query costs, and what differences say.
@Suite("Costs of followed queries")
struct LiveFollowerTests {
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

    func update() -> [LiveFollower.Update] {
        follower.update { Issue.record("reported: \($0)") }
    }

    private func names(_ results: LiveResults) throws -> [String] {
        let slot = try shop.slot("name", of: "Pet")
        return results.ids.map { graph.record(for: $0)?.value(slot) }.map {
            if case .text(let name)? = $0 { name } else { "?" }
        }
    }

    private func record(_ results: LiveResults, _ position: Int) throws -> Record {
        try #require(graph.record(for: results[position]))
    }

    // MARK: Observers

    @Test("Observers that are left follow changes after others were released")
    func leftObservers() throws {
        let slot = try shop.slot("age", of: "Pet")
        var named = try shop.pets(from: 0)
        named.predicate = .compare(.equal, try shop.attribute("name"), .literal(.text("pet 3")))
        let queries = [named, try shop.pets(from: 0)]
        let all = try (0..<40).map { try follower.follow(LiveQuery(queries[$0 % 2])) }
        for (index, results) in all.enumerated() where index % 4 < 3 { follower.unfollow(results) }
        let pet = try record(all[3], 3)
        pet.setValue(.integer(50), at: slot)
        let left = all.indices.filter { $0 % 4 == 3 }.map { ObjectIdentifier(all[$0]) }
        #expect(Set(update().map { ObjectIdentifier($0.results) }) == Set(left))
        for results in all { follower.unfollow(results) }
        #expect(follower.isUnused && follower.interests.allSatisfy(\.isEmpty))
    }

    // MARK: Own changes

    @Test("A changed object moves to its place without a statement")
    func move() throws {
        let results = try follower.follow(LiveQuery(shop.pets()))
        let pet = try record(results, 3)
        let queries = try shop.queries {
            pet.setValue(.integer(50), at: try shop.slot("age", of: "Pet"))
            let difference = try #require(update().first?.difference)
            #expect(difference.removals == [.init(position: 3, id: pet.id, destination: 49)])
            #expect(difference.insertions == [.init(position: 49, id: pet.id, origin: 3)])
            #expect(difference.updates.isEmpty)
        }
        #expect(queries.isEmpty)
        #expect(results.position(of: pet.id) == 49)
    }

    @Test("An object that stays where it is is updated")
    func stay() throws {
        let results = try follower.follow(LiveQuery(shop.pets(from: 10)))
        let pet = try record(results, 5)
        pet.setValue(.integer(15), at: try shop.slot("age", of: "Pet"))
        #expect(update().isEmpty)
        pet.setValue(.null, at: try shop.slot("age", of: "Pet"))
        #expect(update().first?.difference.removals.map(\.position) == [5])
        pet.setValue(.integer(15), at: try shop.slot("age", of: "Pet"))
        #expect(update().first?.difference.insertions.map(\.position) == [5])
    }

    @Test("Properties that a query does not read are not its concern, unless all updates are reported")
    func unreadProperties() throws {
        let results = try follower.follow(LiveQuery(shop.pets()))
        let watcher = try follower.follow(LiveQuery(shop.pets(), updates: .ofAllProperties))
        let pet = try record(results, 7)
        pet.setValue(.text("new"), at: try shop.slot("note", of: "Pet"))
        let updates = update()
        #expect(updates.map { $0.results === watcher } == [true])
        #expect(updates.first?.difference.updates == [.init(position: 7, id: pet.id, formerID: nil)])
        #expect(results.counts.tests == 0)
        try graph.save()
        #expect(update().isEmpty)
    }

    @Test("An object keeps its place when a save gives it its identity")
    func identity() throws {
        let results = try follower.follow(LiveQuery(shop.pets()))
        let pet = try shop.add("Pet", ["age": .integer(100)], to: graph)
        let former = pet.id
        #expect(update().first?.difference.insertions == [.init(position: 60, id: former, origin: nil)])
        try graph.save()
        let difference = try #require(update().first?.difference)
        #expect(difference.updates == [.init(position: 60, id: pet.id, formerID: former)])
        #expect(difference.removals.isEmpty && difference.insertions.isEmpty)
        #expect(results.position(of: former) == nil)
        #expect(results[60] == pet.id && !pet.id.isTemporary)
    }

    @Test("Rolling back a pending set delete reads the rows that return, with one statement")
    func rollback() throws {
        let results = try follower.follow(LiveQuery(shop.pets(from: 10)))
        let before = results.ids
        try graph.delete(matching: shop.pets(from: 40))
        let hidden = shop.queries { #expect(update().first?.difference.removals.count == 20) }
        #expect(hidden.isEmpty)
        graph.rollback()
        let returned = shop.queries { #expect(update().first?.difference.insertions.count == 20) }
        #expect(returned.count == 1, "\(returned)")
        #expect(results.ids == before)
        #expect(results.counts.refetchCount == 0)
    }

    // MARK: Changes of others

    @Test("Rows that others saved are read together, with one statement for all observers")
    func savesOfOthers() throws {
        let old = try follower.follow(LiveQuery(shop.pets(from: 30)))
        let young = try follower.follow(LiveQuery(shop.pets()))
        for age in [5, 35, 45] { try shop.add("Pet", ["age": .integer(Int64(age))], to: other) }
        graph.inbox.post(try other.save())
        let queries = shop.queries { #expect(update().count == 2) }
        #expect(queries.count == 1, "\(queries)")
        #expect(old.count == 32)
        #expect(young.count == 63)
    }

    @Test("A set delete of others is no statement")
    func setDelete() throws {
        let results = try follower.follow(LiveQuery(shop.pets(from: 10)))
        try other.delete(matching: shop.pets(from: 20))
        graph.inbox.post(try other.save())
        graph.mergeWaitingChanges()
        let queries = shop.queries {
            #expect(update().first?.difference.removals.map(\.position) == Array(10..<50))
        }
        #expect(queries.isEmpty, "\(queries)")
        #expect(results.count == 10)
    }

    @Test("More changes than a graph lists are fetched again, and counted")
    func overflow() throws {
        let results = try follower.follow(LiveQuery(shop.pets(from: 10)))
        try other.delete(matching: shop.pets(from: 55))
        try other.save()
        graph.inbox.post(.overflow)
        let difference = try #require(update().first?.difference)
        #expect(difference.isRefetched)
        #expect(difference.removals.map(\.position) == Array(45..<50))
        #expect(results.counts.refetches == [.unlistedChanges: 1])
    }

    @Test("Objects that were only read to be tested are released")
    func tested() throws {
        let results = try follower.follow(LiveQuery(shop.pets(limit: 10)))
        for first in stride(from: 1_000, to: 10_000, by: 1_000) {
            for age in first..<first + 1_000 { try shop.add("Pet", ["age": .integer(Int64(age))], to: other) }
            graph.inbox.post(try other.save())
            #expect(update().isEmpty)
        }
        #expect(results.counts.refetches.isEmpty)
        #expect(graph.registeredRecords.count < 5_200)
    }

    // MARK: Relationships

    @Test(
        "An object that a save gives its identity is found in frozen results, after more changes than are listed",
        arguments: [true, false])
    func renamedAfterOverflow(ofIdentities: Bool) throws {
        let results = try follower.follow(LiveQuery(shop.pets()))
        let pet = try shop.add("Pet", ["name": .text("new"), "age": .integer(100)], to: graph)
        _ = update()
        let frozen = follower.freeze(results)
        let former = frozen[60]
        #expect(former == pet.id)
        if !ofIdentities {
            for key in 0...100_000 { graph.log.followed?.noteRow(ObjectID(space: former.space, key: Int64(key)), .all) }
        }
        try graph.save()
        if ofIdentities { for _ in 0...100_000 { graph.log.noteRenamed(pet, from: former) } }
        let difference = try #require(update().first?.difference)
        #expect(difference.isRefetched)
        #expect(ofIdentities || difference.updates.map(\.formerID) == [former])
        #expect(results[60] == pet.id && pet.id != former)
        #expect(frozen[60] == former && frozen.kept(former) === pet)
    }

    @Test("A key path is followed backwards: by the inverse in memory, or with one statement")
    func keyPath() throws {
        var query = try shop.pets(from: 50)
        query.sort = [SortKey(try shop.attribute("name", of: try shop.owner(), in: "Owner"))]
        let results = try follower.follow(LiveQuery(query))
        #expect(try names(results) == [51, 54, 57, 52, 55, 58, 50, 53, 56, 59].map { "pet \($0)" })
        let ada = try #require(try other.fetch(Query(entityIndex: 0)).first)
        ada.setValue(.text("Zoe"), at: 0)
        graph.inbox.post(try other.save())
        graph.mergeWaitingChanges()
        let queries = shop.queries { #expect(update().first?.difference.insertions.count == 3) }
        // The owner, and the pets that reference it.
        #expect(queries.count <= 3, "\(queries)")
        #expect(try names(results) == [52, 55, 58, 50, 53, 56, 59, 51, 54, 57].map { "pet \($0)" })
        let own = try #require(graph.registeredRecord(for: ada.id))
        _ = graph.memberIDs(of: own, try shop.relationship("pets", of: "Owner"))
        let known = shop.queries {
            own.setValue(.text("Ada"), at: 0)
            #expect(update().count == 1)
        }
        #expect(known.isEmpty, "\(known)")
        #expect(results.counts.refetchCount == 0)
    }

    @Test("Conditions on members are followed from the members")
    func members() throws {
        let one = QueryVariable(1)
        let isOld = QueryExpression.compare(
            .greater, try shop.attribute("age", of: .variable(one)), .literal(.integer(58)))
        let query = Query(entityIndex: 0, predicate: .exists(try shop.pets(), one, isOld))
        let results = try follower.follow(LiveQuery(query))
        #expect(results.count == 1)
        let pet = try #require(try other.fetch(shop.pets()).first)
        pet.setValue(.integer(99), at: try shop.slot("age", of: "Pet"))
        graph.inbox.post(try other.save())
        #expect(update().first?.difference.insertions.map(\.position) == [0])
        try other.delete(matching: shop.pets(from: 99))
        graph.inbox.post(try other.save())
        #expect(update().first?.difference.removals.map(\.position) == [0])
        #expect(results.counts.refetchCount == 0)
    }

    // MARK: Windows and sections

    @Test("Rows that leave a window are replaced from the reserve, and then with one fetch")
    func window() throws {
        let results = try follower.follow(LiveQuery(shop.pets(limit: 5)))
        let first = try record(results, 0)
        try graph.delete([first])
        let difference = try #require(update().first?.difference)
        #expect(difference.removals.map(\.position) == [0])
        #expect(difference.insertions.map(\.position) == [4])
        #expect(results.counts.refills == 0)
        try graph.delete(matching: shop.pets(limit: 20))
        #expect(update().count == 1)
        #expect(try names(results) == (21...25).map { "pet \($0)" })
        #expect(results.counts.refills == 1)
        #expect(results.counts.refetchCount == 0)
    }

    @Test("After a failure while a window is filled up, the next difference has what the change removed")
    func failingRefill() throws {
        let results = try follower.follow(LiveQuery(shop.pets(limit: 5)))
        let before = results.ids
        try graph.delete(matching: shop.pets(limit: 22))
        try shop.rename("ZPET", to: "ZLOST")
        var errorCount = 0
        #expect(follower.update { _ in errorCount += 1 }.isEmpty)
        #expect(errorCount == 1)
        #expect(results.ids == before)
        try shop.rename("ZLOST", to: "ZPET")
        let difference = try #require(update().first?.difference)
        #expect(difference.removals.map(\.position) == [0, 1, 2, 3, 4])
        #expect(difference.insertions.map(\.position) == [0, 1, 2, 3, 4])
        #expect(try names(results) == (22...26).map { "pet \($0)" })
    }

    @Test("Sections are those of the key, and differences name new and removed ones")
    func sections() throws {
        let key = SortKey(try shop.attribute("name", of: try shop.owner(), in: "Owner"))
        let results = try follower.follow(LiveQuery(shop.pets(from: 50), sectionsBy: key))
        #expect(results.sections.map(\.value) == ["Ada", "Ben", "Cem"].map(Value.text))
        #expect(results.sections.map(\.range) == [0..<3, 3..<6, 6..<10])
        let ben = try #require(try graph.fetch(Query(entityIndex: 0)).dropFirst().first)
        ben.setValue(.text("Xaver"), at: 0)
        let difference = try #require(update().first?.difference)
        #expect(difference.removedSections == [1])
        #expect(difference.insertedSections == [2])
        #expect(results.sections.map(\.range) == [0..<3, 3..<7, 7..<10])
        #expect(results.sectionIndex(ofPosition: 6) == 1)
        #expect(results.sectionIndex(ofPosition: 7) == 2)
    }

    @Test("Nothing is collected without a follower, and nothing passed to results that are not followed")
    func unfollowing() throws {
        let results = try follower.follow(LiveQuery(shop.pets()))
        let pet = try record(results, 0)
        follower.unfollow(results)
        pet.setValue(.integer(70), at: try shop.slot("age", of: "Pet"))
        #expect(update().isEmpty)
        #expect(results.position(of: pet.id) == 0)
        let plain = shop.graph()
        do { _ = LiveFollower(plain) }
        #expect(plain.log.followed == nil)
    }
}
