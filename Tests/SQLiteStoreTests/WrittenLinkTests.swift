import ObjectGraph
import Testing

@testable import SQLiteStore

/// Guarantees of a save, whatever the change set contains: no key refers to a row that it deleted, and the two ends of a one-to-one
/// relationship that it wrote agree.
@Suite("Links after a save")
struct WrittenLinkTests {
    private func model(rule: DeleteRule, isOptional: Bool, inverse: String? = "owner") throws -> Model {
        var owner = EntityDescription("Owner")
        owner.relationships = [
            Relationship("parts", to: "Part", .toMany, inverse: inverse, deleteRule: rule)
        ]
        var part = EntityDescription("Part")
        part.attributes = [Attribute("number", .integer64, optional: true)]
        var back = Relationship("owner", to: "Owner", .toOne, inverse: inverse == nil ? nil : "parts")
        back.isOptional = isOptional
        part.relationships = [back]
        return try Model([owner, part])
    }

    // MARK: Keys of deleted rows

    @Test("An optional key becomes nil, with a new version and a history change")
    func cleared() throws {
        let zoo = try ZooStore(model: try model(rule: .nullify, isOptional: true))
        let owners = try (0..<2).map { _ in try zoo.insert("Owner", [:]) }
        let parts = try owners.map { try zoo.insert("Part", ["owner": .reference($0.id)]) }
        let rows = try zoo.save { $0.deletions = [try zoo.deletion(owners[0])] }
        let cleared = try zoo.snapshot(parts[0].id)
        #expect(try zoo.value(cleared, "owner") == .null)
        #expect(cleared.version == parts[0].version + 1)
        #expect(rows.adjusted.map(\.id) == [cleared.id])
        #expect(rows.adjusted.map(\.version) == [cleared.version])
        #expect(try zoo.snapshot(parts[1].id) == parts[1])
        let changes = try zoo.rows(
            "SELECT ZCHANGETYPE, ZENTITYPK FROM ACHANGE WHERE ZTRANSACTIONID = (SELECT max(Z_PK) FROM ATRANSACTION) "
                + "ORDER BY ZCHANGETYPE")
        #expect(changes == [[.integer(1), .integer(cleared.id.key)], [.integer(2), .integer(owners[0].id.key)]])
    }

    @Test(
        "A row with a mandatory key, or with a cascade or deny rule, is returned as a conflict, and nothing is written",
        arguments: [(DeleteRule.nullify, false), (.cascade, true), (.deny, true)])
    func handedBack(rule: DeleteRule, isOptional: Bool) throws {
        let zoo = try ZooStore(model: try model(rule: rule, isOptional: isOptional))
        let owner = try zoo.insert("Owner", [:])
        let part = try zoo.insert("Part", ["owner": .reference(owner.id)])
        var changes = ChangeSet()
        changes.deletions = [try zoo.deletion(owner)]
        guard case .conflicts(let conflicts) = try zoo.store.save(changes) else {
            Issue.record("the row was deleted")
            return
        }
        #expect(conflicts.map(\.stored) == [part])
        #expect(conflicts.map(\.refersToDeleted) == [true])
        #expect(try zoo.snapshot(owner.id) == owner)
        // The graph deletes the part too, or gives it another owner.
        try zoo.save { $0.deletions = [try zoo.deletion(owner), try zoo.deletion(part)] }
        #expect(try zoo.fetch("Owner").isEmpty)
        #expect(try zoo.fetch("Part").isEmpty)
    }

    @Test("A part that the same save moves to another owner, or inserts for one, is unchanged")
    func ledElsewhere() throws {
        let zoo = try ZooStore(model: try model(rule: .cascade, isOptional: false))
        let owners = try (0..<2).map { _ in try zoo.insert("Owner", [:]) }
        let part = try zoo.insert("Part", ["owner": .reference(owners[0].id)])
        try zoo.save { changes in
            changes.deletions = [try zoo.deletion(owners[0])]
            changes.updates = [try zoo.update(part, ["owner": .reference(owners[1].id)])]
        }
        #expect(try zoo.value(zoo.snapshot(part.id), "owner") == .reference(owners[1].id))
    }

    @Test("Keys of the rule no action, and keys without inverse, stay")
    func left() throws {
        for (rule, inverse) in [(DeleteRule.noAction, "owner"), (.nullify, nil)] {
            let zoo = try ZooStore(model: try model(rule: rule, isOptional: true, inverse: inverse))
            let owner = try zoo.insert("Owner", [:])
            let part = try zoo.insert("Part", ["owner": .reference(owner.id)])
            try zoo.save { $0.deletions = [try zoo.deletion(owner)] }
            #expect(try zoo.snapshot(part.id) == part)
        }
    }

    @Test("The keys are looked up in their index")
    func cost() throws {
        let zoo = try ZooStore(.file, model: try model(rule: .nullify, isOptional: true))
        let owner = try zoo.insert("Owner", [:])
        zoo.log.clear()
        try zoo.save { $0.deletions = [try zoo.deletion(owner)] }
        let asked = try #require(zoo.log.statements.first { $0.contains("FROM ZPART WHERE ZOWNER IN") })
        let plan = try zoo.store.pool.withWriter { connection in
            try connection.withStatement("EXPLAIN QUERY PLAN " + asked) { statement in
                var lines: [String] = []
                while try statement.step() { lines.append(statement.text(at: 3)) }
                return lines.joined(separator: "\n")
            }
        }
        #expect(plan.contains("ZPART_ZOWNER_INDEX"))
    }

    @Test("Without an index, keys of deleted rows are cleared as well, however large the table")
    func withoutIndex() throws {
        let zoo = try ZooStore(.file, model: try model(rule: .nullify, isOptional: true))
        let owner = try zoo.insert("Owner", [:])
        let part = try zoo.insert("Part", ["owner": .reference(owner.id)])
        try zoo.save { changes in
            for _ in 0..<10_001 { changes.insertions.append(try zoo.insertion("Part", [:])) }
        }
        _ = try zoo.rows("DROP INDEX ZPART_ZOWNER_INDEX")
        let again = try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)))
        #expect(again.openingWarnings.count == 1)
        var changes = ChangeSet()
        changes.deletions = [try zoo.deletion(owner)]
        guard case .saved = try again.save(changes) else {
            Issue.record("not saved")
            return
        }
        #expect(try zoo.value(zoo.snapshot(part.id), "owner") == .null)
        #expect(try again.check().filter { $0.severity == .error } == [])
    }

    // MARK: Both ends of one-to-one relationships

    @Test("The written destination refers back, and its former partner loses its link")
    func linkedBack() throws {
        let zoo = try ZooStore()
        let people = try (0..<2).map { try zoo.insert("Keeper", ["name": .text("\($0)")]) }
        let passports = try (0..<2).map { _ in try zoo.insert("Passport", [:]) }
        for (person, passport) in zip(people, passports) {
            try zoo.save { changes in
                changes.updates = [
                    try zoo.update(person, ["passport": .reference(passport.id)]),
                    try zoo.update(passport, ["owner": .reference(person.id)]),
                ]
            }
        }
        // The context believes that person 0 has passport 1, so only the passport is written.
        let written = try zoo.save { changes in
            changes.updates = [
                try zoo.update(zoo.snapshot(passports[1].id), ["owner": .reference(people[0].id)])
            ]
        }
        #expect(try zoo.value(zoo.snapshot(people[0].id), "passport") == .reference(passports[1].id))
        #expect(try zoo.value(zoo.snapshot(people[1].id), "passport") == .null)
        #expect(try zoo.value(zoo.snapshot(passports[0].id), "owner") == .null)
        #expect(try zoo.value(zoo.snapshot(passports[1].id), "owner") == .reference(people[0].id))
        let back = try #require(written.adjusted.first { $0.id == people[0].id })
        #expect(back.destination == passports[1].id)
        #expect(try zoo.snapshot(people[0].id).version == back.version)
        #expect(try zoo.rows("SELECT count(*) FROM ZPASSPORT WHERE ZOWNER IS NOT NULL") == [[.integer(1)]])
    }

    @Test("The destination of an inserted row refers back, too")
    func insertedBack() throws {
        let zoo = try ZooStore()
        let person = try zoo.insert("Doctor", [:])
        let passport = try zoo.insert("Passport", ["owner": .reference(person.id)])
        let back = try zoo.snapshot(person.id)
        #expect(try zoo.value(back, "passport") == .reference(passport.id))
        #expect(back.version == person.version + 1)
    }

    @Test("A deleted destination is a conflict; nothing is written")
    func goneDestination() throws {
        let zoo = try ZooStore()
        let person = try zoo.insert("Person", [:])
        try zoo.save { $0.deletions = [try zoo.deletion(person)] }
        let passport = try zoo.insert("Passport", [:])
        var changes = ChangeSet()
        changes.updates = [try zoo.update(passport, ["owner": .reference(person.id)])]
        guard case .conflicts(let conflicts) = try zoo.store.save(changes) else {
            Issue.record("a link to a row that is gone was written")
            return
        }
        #expect(conflicts.map(\.id) == [person.id])
        #expect(conflicts.allSatisfy { $0.stored == nil })
        #expect(try zoo.snapshot(passport.id) == passport)
    }

    // MARK: Plans

    @Test("A plan clears a key to a cascaded row, even if that row does not refer back")
    func oneSidedCascade() throws {
        var box = EntityDescription("Box")
        box.relationships = [Relationship("lid", to: "Lid", .toOne, inverse: "box", deleteRule: .cascade)]
        var lid = EntityDescription("Lid")
        lid.relationships = [Relationship("box", to: "Box", .toOne, inverse: "lid")]
        let zoo = try ZooStore(model: try Model([box, lid]))
        let box1 = try zoo.insert("Box", [:])
        let lids = try (0..<2).map { _ in try zoo.insert("Lid", [:]) }
        _ = try zoo.rows("UPDATE ZLID SET ZBOX = \(box1.id.key)")
        _ = try zoo.rows("UPDATE ZBOX SET ZLID = \(lids[0].id.key)")
        let result = try zoo.store.delete(DeleteRequest(.rows(RowSet([box1.id]))))
        #expect(Set(result.plan.deleted.ids) == [box1.id, lids[0].id])
        #expect(result.plan.updated.ids.map { $0 } == [lids[1].id])
        #expect(try zoo.value(zoo.snapshot(lids[1].id), "box") == .null)
    }
}
