import ObjectGraph
import Testing

@testable import SQLiteStore

/// Paths of cascades, and effects that depend on the path.
@Suite("Paths of cascades")
struct DeletePathTests {
    private func entity(_ name: String, _ relationships: [Relationship]) -> EntityDescription {
        var description = EntityDescription(name)
        description.attributes = [Attribute("number", .integer64, optional: true)]
        description.relationships = relationships
        return description
    }

    private func toMany(_ name: String, _ destination: String, _ inverse: String, _ rule: DeleteRule) -> Relationship {
        Relationship(name, to: destination, .toMany, inverse: inverse, deleteRule: rule)
    }

    private func toOne(
        _ name: String, _ destination: String, _ inverse: String, _ rule: DeleteRule = .nullify, optional: Bool = true
    ) -> Relationship {
        Relationship(name, to: destination, .toOne, inverse: inverse, deleteRule: rule, optional: optional)
    }

    private func plan(_ zoo: ZooStore, _ rows: Snapshot...) throws -> DeletePlan {
        try zoo.store.plan(DeleteRequest(.rows(RowSet(rows.map(\.id)))))
    }

    private func delete(_ zoo: ZooStore, _ rows: Snapshot...) throws -> DeletePlan {
        try zoo.store.delete(DeleteRequest(.rows(RowSet(rows.map(\.id))))).plan
    }

    @Test("a cascade through four levels is reported level by level")
    func levels() throws {
        let names = ["A", "B", "C", "D"]
        let zoo = try ZooStore(
            model: try Model(
                names.enumerated().map { place, name in
                    var relationships: [Relationship] = []
                    if place < 3 { relationships.append(toMany("below", names[place + 1], "above", .cascade)) }
                    if place > 0 { relationships.append(toOne("above", names[place - 1], "below", optional: false)) }
                    return entity(name, relationships)
                }))
        let top = try zoo.insert("A", [:])
        var level = [top]
        for name in names.dropFirst() {
            level = try level.flatMap { above in
                try (0..<2).map { _ in try zoo.insert(name, ["above": .reference(above.id)]) }
            }
        }
        let bystander = try zoo.insert("B", ["above": .reference(try zoo.insert("A", [:]).id)])
        let plan = try delete(zoo, top)
        #expect(plan.reaches.map(\.entity) == names)
        #expect(plan.reaches.map(\.count) == [1, 2, 4, 8])
        #expect(plan.reaches.map { $0.via?.description } == [nil, "A.below", "B.below", "C.below"])
        #expect(try zoo.fetch("D").isEmpty)
        #expect(try zoo.fetch("B").map(\.id) == [bystander.id])
    }

    @Test("rows in a cycle are deleted once each, whichever is deleted first")
    func rings() throws {
        let model = try Model([
            entity("Ring", [toOne("next", "Ring", "previous", .cascade), toOne("previous", "Ring", "next")])
        ])
        for size in [1, 2, 5] {
            let zoo = try ZooStore(model: model)
            let rows = try (0..<size).map { _ in try zoo.insert("Ring", [:]) }
            try zoo.save { changes in
                changes.updates = try rows.indices.map { place in
                    try zoo.update(
                        rows[place],
                        [
                            "next": .reference(rows[(place + 1) % size].id),
                            "previous": .reference(rows[(place + size - 1) % size].id),
                        ])
                }
            }
            let plan = try delete(zoo, rows[size / 2])
            #expect(plan.deleted.count == size)
            #expect(plan.cleared.isEmpty)
            #expect(try zoo.fetch("Ring").isEmpty)
        }
    }

    /// A cascades to B and C; B cascades to D, C denies its deletion before D's.
    private func diamond() throws -> ZooStore {
        try ZooStore(
            model: try Model([
                entity("A", [toMany("bs", "B", "a", .cascade), toMany("cs", "C", "a", .cascade)]),
                entity("B", [toOne("a", "A", "bs"), toMany("ds", "D", "b", .cascade)]),
                entity("C", [toOne("a", "A", "cs"), toMany("ds", "D", "c", .deny)]),
                entity("D", [toOne("b", "B", "ds", optional: false), toOne("c", "C", "ds")]),
            ]))
    }

    @Test("a row that one side of a diamond denies is deleted by the other side's cascade")
    func diamonds() throws {
        let zoo = try diamond()
        let a = try zoo.insert("A", [:])
        let b = try zoo.insert("B", ["a": .reference(a.id)])
        let c = try zoo.insert("C", ["a": .reference(a.id)])
        let d = try zoo.insert("D", ["b": .reference(b.id), "c": .reference(c.id)])
        let alone = try plan(zoo, c)
        #expect(alone.refusals.map(\.reason) == [.denied])
        #expect(alone.refusals.first?.relationship.description == "C.ds")
        #expect(alone.refusals.first?.examples == [d.id])
        #expect(try plan(zoo, c, d).refusals.isEmpty)
        let whole = try delete(zoo, a)
        #expect(whole.deleted.count == 4)
        #expect(try zoo.fetch("D").isEmpty)
    }

    @Test("a path that leaves a row behind refuses the delete, even if other paths cascade")
    func otherSide() throws {
        let zoo = try diamond()
        let a = try zoo.insert("A", [:])
        let b = try zoo.insert("B", ["a": .reference(a.id)])
        let stranger = try zoo.insert("B", [:])
        let c = try zoo.insert("C", ["a": .reference(a.id)])
        _ = try zoo.insert("D", ["b": .reference(b.id), "c": .reference(c.id)])
        let left = try zoo.insert("D", ["b": .reference(stranger.id), "c": .reference(c.id)])
        let refused = try plan(zoo, a).refusals
        #expect(refused.map(\.count) == [1])
        #expect(refused.first?.examples == [left.id])
        #expect(throws: DeleteError.refused(refused)) { try delete(zoo, a) }
        #expect(try zoo.fetch("D").count == 2)
        #expect(try delete(zoo, a, stranger).deleted.count == 6)
    }

    @Test("a mandatory key refuses only for rows that are not deleted themselves")
    func mandatory() throws {
        let zoo = try ZooStore(
            model: try Model([
                entity(
                    "Owner", [toMany("parts", "Part", "owner", .nullify), toMany("kits", "Kit", "owner", .cascade)]),
                entity("Kit", [toOne("owner", "Owner", "kits"), toMany("parts", "Part", "kit", .cascade)]),
                entity("Part", [toOne("owner", "Owner", "parts", optional: false), toOne("kit", "Kit", "parts")]),
            ]))
        let owner = try zoo.insert("Owner", [:])
        let kit = try zoo.insert("Kit", ["owner": .reference(owner.id)])
        let inKit = try zoo.insert("Part", ["owner": .reference(owner.id), "kit": .reference(kit.id)])
        let loose = try zoo.insert("Part", ["owner": .reference(owner.id)])
        let plan = try plan(zoo, owner)
        #expect(plan.deleted.contains(inKit.id))
        #expect(plan.refusals.first?.examples == [loose.id])
        #expect(
            plan.refusals.map(\.reason) == [
                .mandatory(inverse: RelationshipName(entity: "Part", relationship: "owner"), shape: .oneToMany)
            ])
        #expect(throws: DeleteError.self) { try delete(zoo, owner) }
        // In the same save the part gets another owner.
        let heir = try zoo.insert("Owner", [:])
        var changes = ChangeSet()
        changes.bulkDelete = DeleteRequest(.rows(RowSet([owner.id])))
        changes.updates = [try zoo.update(loose, ["owner": .reference(heir.id)])]
        guard case .saved = try zoo.store.save(changes) else {
            Issue.record("conflict")
            return
        }
        #expect(try zoo.fetch("Part").map(\.id) == [loose.id])
        #expect(try zoo.value(try zoo.snapshot(loose.id), "owner") == .reference(heir.id))
    }

    @Test("another key written in the same save does not satisfy the mandatory one")
    func otherKeyWritten() throws {
        let zoo = try ZooStore(
            model: try Model([
                entity(
                    "Owner", [toMany("parts", "Part", "owner", .nullify), toMany("spares", "Part", "spare", .nullify)]),
                entity(
                    "Part", [toOne("owner", "Owner", "parts", optional: false), toOne("spare", "Owner", "spares")]),
            ]))
        let owner = try zoo.insert("Owner", [:])
        let other = try zoo.insert("Owner", [:])
        let part = try zoo.insert("Part", ["owner": .reference(owner.id)])
        var changes = ChangeSet()
        changes.bulkDelete = DeleteRequest(.rows(RowSet([owner.id])))
        changes.updates = [try zoo.update(part, ["spare": .reference(other.id)])]
        #expect(throws: DeleteError.self) { _ = try zoo.store.save(changes) }
        #expect(try zoo.value(try zoo.snapshot(part.id), "owner") == .reference(owner.id))
    }

    @Test("minimum counts are checked for owners that lose members, unless the same save writes the list")
    func minimumCounts() throws {
        var players = toMany("players", "Player", "team", .nullify)
        players.minimumCount = 2
        players.isOptional = false
        let zoo = try ZooStore(
            model: try Model([entity("Team", [players]), entity("Player", [toOne("team", "Team", "players")])]))
        let team = try zoo.insert("Team", [:])
        let rows = try (0..<3).map { _ in try zoo.insert("Player", ["team": .reference(team.id)]) }
        var request = DeleteRequest(.rows(RowSet([rows[0].id, rows[1].id])))
        #expect(try zoo.store.plan(request).refusals.isEmpty)
        request.counts = .checked
        let reasons = try zoo.store.plan(request).refusals.map(\.reason)
        #expect(
            reasons == [.tooFew(inverse: RelationshipName(entity: "Team", relationship: "players"), minimum: 2)])
        #expect(throws: DeleteError.self) { try zoo.store.delete(request) }
        var changes = ChangeSet()
        changes.bulkDelete = request
        #expect(throws: DeleteError.self) { _ = try zoo.store.save(changes) }
        let insertion = try zoo.insertion("Player", ["team": .reference(team.id)])
        changes.insertions = [insertion]
        changes.updates = [try zoo.update(team, [:], toMany: ["players"])]
        guard case .saved = try zoo.store.save(changes) else {
            Issue.record("conflict")
            return
        }
        #expect(try zoo.members(team.id, "players").count == 2)
    }
}
