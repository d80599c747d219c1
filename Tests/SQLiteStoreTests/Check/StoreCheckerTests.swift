import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// One kind of damage after the other: the findings, the repair, and that it changes nothing else.
@Suite("Store checker and repair: links")
struct StoreCheckerTests {
    private typealias Kind = StoreFinding.Kind

    @Test("a consistent store gives no findings, and a repair writes nothing", arguments: [1, 3])
    func healthy(households: Int) throws {
        let zoo = try Village.store(.file, households: households)
        let url = try #require(zoo.url)
        let files = [url.path, url.path + "-wal"].map(URL.init(fileURLWithPath:))
        let before = try files.map { try Data(contentsOf: $0) }
        #expect(try zoo.store.check() == [])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty && plan.unrepairable.isEmpty)
        #expect(plan.description == "Nothing to repair.")
        #expect(try zoo.store.repair(plan) == StoreRepairResult())
        #expect(try files.map { try Data(contentsOf: $0) } == before)
    }

    @Test(
        "a dangling key with an inverse is an error; the repair clears it, with a new row version and a history change")
    func danglingKey() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK IN (2, 3)")
        let finding = StoreFinding(
            .danglingKey, .error, entity: "Lamp", property: "room", count: 2,
            examples: [try zoo.id("Lamp", 2), try zoo.id("Lamp", 3)])
        #expect(try zoo.store.check() == [finding])
        #expect(
            finding.description.hasPrefix("error: 'Lamp.room' of 2 rows references a row that is gone: x-coredata://"))
        let plan = try zoo.store.repairPlan()
        let rows = finding.examples.map(\.uriText).joined(separator: ", ")
        #expect(plan.description == "Clear 'Lamp.room' of 2 rows: \(rows)")
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.changedRows == 2)
        #expect(
            try zoo.changes(since: before) == [
                "ZLAMP 2 ZROOM: NULL", "ZLAMP 2 Z_OPT: 2", "ZLAMP 3 ZROOM: NULL", "ZLAMP 3 Z_OPT: 2",
            ])
        #expect(try zoo.history(result.transactionNumber) == ["Lamp 2 1 80", "Lamp 3 1 80"])
        #expect(try zoo.store.check() == [])
    }

    @Test("a key that the delete rules may leave dangling is a note: without inverse, or with rule no action")
    func permittedDangling() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBEING SET ZMASTER = 99, ZWALKER = 98 WHERE Z_PK = 3", "UPDATE ZPHOTO SET Z1PHOTOS = 77")
        let dog = try zoo.id("Dog", 3)
        let photos = try (1...5).map { try zoo.id("Photo", $0) }
        #expect(
            try zoo.store.check() == [
                StoreFinding(.danglingKey, .note, entity: "Album", property: "photos", count: 6, examples: photos),
                StoreFinding(.danglingKey, .note, entity: "Dog", property: "master", count: 1, examples: [dog]),
                StoreFinding(.danglingKey, .note, entity: "Dog", property: "walker", count: 1, examples: [dog]),
            ])
        let before = try zoo.dumpedTables()
        #expect(try zoo.repair().changedRows == 1)
        #expect(
            try zoo.changes(since: before) == [
                "ZBEING 3 ZMASTER: NULL", "ZBEING 3 ZWALKER: NULL", "ZBEING 3 Z\(try zoo.number("Being"))_WALKER: NULL",
                "ZBEING 3 Z_OPT: 2",
            ].sorted()
                + (1...6).flatMap { ["ZPHOTO \($0) Z1PHOTOS: NULL", "ZPHOTO \($0) Z_FOK_1PHOTOS: NULL"] })
    }

    @Test("a key to a row of an entity outside of the relationship's destination is cleared")
    func wrongDestination() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBEING SET ZMASTER = 6 WHERE Z_PK = 3")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .wrongDestination, .error, entity: "Dog", property: "master", count: 1,
                    examples: [try zoo.id("Dog", 3)])
            ])
        let before = try zoo.dumpedTables()
        try zoo.repair()
        #expect(try zoo.changes(since: before) == ["ZBEING 3 ZMASTER: NULL", "ZBEING 3 Z_OPT: 2"])
    }

    @Test("a wrong entity number beside a key is set to the row's entity")
    func wrongEntityNumber() throws {
        let zoo = try Village.store()
        let column = "Z\(try zoo.number("Being"))_WALKER"
        try zoo.damage("UPDATE ZBEING SET \(column) = \(try zoo.number("Dog")) WHERE Z_PK = 3")
        try zoo.damage("UPDATE ZBEING SET \(column) = NULL WHERE Z_PK = 6")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .wrongEntityNumber, .error, entity: "Dog", property: "walker", count: 2,
                    examples: [try zoo.id("Dog", 3), try zoo.id("Dog", 6)])
            ])
        let before = try zoo.dumpedTables()
        try zoo.repair()
        let person = try zoo.number("Person")
        #expect(
            try zoo.changes(since: before) == [
                "ZBEING 3 \(column): \(person)", "ZBEING 3 Z_OPT: 2", "ZBEING 6 \(column): \(person)",
                "ZBEING 6 Z_OPT: 2",
            ])
    }

    // MARK: One-to-one

    @Test("a one-to-one half is completed if the other end is free")
    func completedHalf() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZCARD SET ZHOLDER = NULL WHERE Z_PK = 1", "UPDATE ZCARD SET ZHOLDER = 99 WHERE Z_PK = 2")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .danglingKey, .error, entity: "Card", property: "holder", count: 1,
                    examples: [try zoo.id("Card", 2)]),
                StoreFinding(
                    .halfSetInverse, .error, entity: "Person", property: "card", count: 2,
                    examples: [try zoo.id("Person", 1), try zoo.id("Person", 4)]),
            ])
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(
            try zoo.changes(since: before) == [
                "ZCARD 1 ZHOLDER: 1", "ZCARD 1 Z_OPT: 2", "ZCARD 2 ZHOLDER: 4", "ZCARD 2 Z_OPT: 2",
            ])
        #expect(try zoo.history(result.transactionNumber).count == 2)
    }

    @Test("surplus keys to one destination are cleared, except its own partner's; all of them, if it has no partner")
    func surplusHalves() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBEING SET ZCARD = 1 WHERE Z_PK IN (2, 5)")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .halfSetInverse, .error, entity: "Person", property: "card", count: 2,
                    examples: [try zoo.id("Person", 2), try zoo.id("Person", 5)])
            ])
        var before = try zoo.dumpedTables()
        try zoo.repair()
        let cleared = [2, 5].flatMap { ["ZBEING \($0) ZCARD: NULL", "ZBEING \($0) Z_OPT: 2"] }
        #expect(try zoo.changes(since: before) == cleared)
        try zoo.damage("UPDATE ZBEING SET ZCARD = 3 WHERE Z_PK = 8", "UPDATE ZCARD SET ZHOLDER = NULL WHERE Z_PK = 3")
        before = try zoo.dumpedTables()
        try zoo.repair()
        #expect(
            try zoo.changes(since: before)
                == [7, 8].flatMap {
                    ["ZBEING \($0) ZCARD: NULL", "ZBEING \($0) Z_OPT: 2"]
                })
    }

    @Test("one-to-one relationships mostly set at one end only are a note, and unchanged")
    func oneSided() throws {
        let zoo = try Village.store(households: 20)
        try zoo.damage("UPDATE ZCARD SET ZHOLDER = NULL")
        let findings = try zoo.store.check()
        #expect(findings.map(\.kind) == [.halfSetInverse] && findings.map(\.severity) == [.note], "\(findings)")
        #expect(findings.first?.place == "Person.card")
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty && plan.unrepairable.isEmpty, "\(plan)")
        // A key to another row is an error of its own.
        try zoo.damage("UPDATE ZCARD SET ZHOLDER = (SELECT Z_PK FROM ZBEING WHERE ZCARD = 2) WHERE Z_PK = 1")
        #expect(try zoo.store.check().map(\.severity).contains(.error))
        #expect(try !zoo.store.repairPlan().isEmpty)
    }

    @Test("a relationship that is its own inverse is checked once")
    func selfInverse() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBEING SET ZSPOUSE = NULL WHERE Z_PK = 2")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .halfSetInverse, .error, entity: "Person", property: "spouse", count: 1,
                    examples: [try zoo.id("Person", 1)])
            ])
        let before = try zoo.dumpedTables()
        try zoo.repair()
        #expect(try zoo.changes(since: before) == ["ZBEING 2 ZSPOUSE: 1", "ZBEING 2 Z_OPT: 2"])
    }

    @Test("a mandatory end with several candidates is unchanged, and the plan says so")
    func mandatoryHalves() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBEING SET ZBADGE = 1 WHERE Z_PK = 2", "UPDATE ZBADGE SET ZBEARER = NULL WHERE Z_PK = 1")
        #expect(try zoo.store.check().map(\.kind) == [.halfSetInverse, .orphan])
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.endsMandatory, .rowInUse])
        #expect(plan.unrepairable.map(\.finding.property) == ["badge", "bearer"])
    }

    // MARK: Join rows

    @Test("join rows with a missing end are deleted; the existing end counts as updated")
    func strayJoinRows() throws {
        let zoo = try Village.store()
        let group = try zoo.number("Group")
        let person = try zoo.number("Person")
        let (table, columns) = try joinTable(zoo, "Group", "members")
        try zoo.damage(
            "INSERT INTO \(table) (\(columns.owner), \(columns.member)) VALUES (1, 99), (98, 4), (97, 96), (1, 3)")
        #expect(group > 0 && person > 0)
        #expect(
            try zoo.store.check().map { [$0.kind.rawValue, $0.place, "\($0.count)"] } == [
                ["strayJoinRow", "Person.groups", "4"]
            ])
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.deletedJoinRows == 4)
        #expect(result.changedRows == 2)
        #expect(
            try zoo.changes(since: before).filter { !$0.hasSuffix("gone") } == [
                "ZBEING 4 Z_OPT: 2", "ZGROUP 1 Z_OPT: 2",
            ])
        #expect(try zoo.changes(since: before).filter { $0.hasSuffix("gone") && $0.hasPrefix(table) }.count == 4)
        #expect(try zoo.history(result.transactionNumber).count == 2)
    }

    private func joinTable(
        _ zoo: ZooStore, _ entity: String, _ property: String
    ) throws -> (table: String, columns: (owner: String, member: String)) {
        let relationship = try zoo.relationship(entity, property)
        guard
            case .joinTable(let name, let owner, let member, _)? =
                zoo.store.map.entities[try zoo.entity(entity).index].toMany[relationship.index]
        else { throw StoreRepairError.outdatedPlan }
        return (name, (owner, member))
    }

    // MARK: Mandatory ends

    @Test("a row without its mandatory destination is deleted, if no row refers to it")
    func orphans() throws {
        let zoo = try Village.store()
        try zoo.damage(
            "UPDATE ZROOM SET ZHOUSE = NULL WHERE Z_PK = 1", "UPDATE ZROOM SET ZHOUSE = 99 WHERE Z_PK IN (3, 4)",
            "DELETE FROM ZLAMP WHERE Z_PK = 1", "UPDATE ZSHELF SET ZROOM = NULL",
            "UPDATE ZLAMP SET ZROOM = NULL WHERE Z_PK = 3")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .orphan, .error, entity: "Room", property: "house", count: 3,
                    examples: try [1, 3, 4].map { try zoo.id("Room", $0) })
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.map(\.action) == [.deleteRows(try [1, 3].map { try zoo.id("Room", $0) })])
        #expect(plan.unrepairable.map(\.reason) == [.rowInUse])
        #expect(plan.unrepairable.map(\.finding.examples) == [[try zoo.id("Room", 4)]], "a lamp is in it")
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.deletedRows == 2)
        #expect(try zoo.changes(since: before) == ["ZROOM 1: gone", "ZROOM 3: gone"])
        #expect(try zoo.history(result.transactionNumber) == ["Room 1 2 ", "Room 3 2 "])
    }

    @Test("rows that only refer to each other are deleted together, with their files")
    func orphansTogether() throws {
        let zoo = try Village.store(.file)
        try zoo.damage(
            "UPDATE ZROOM SET ZHOUSE = NULL WHERE Z_PK IN (1, 3)", "DELETE FROM ZLAMP WHERE Z_PK IN (1, 3)",
            "UPDATE ZSHELF SET ZOWNER = NULL WHERE Z_PK = 1")
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.count == 3)
        #expect(plan.unrepairable.map(\.finding.examples) == [[try zoo.id("Room", 3)]], "its shelf stays")
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.removedFiles == 1)
        #expect(result.remainingFiles == [])
        #expect(try zoo.changes(since: before) == ["ZROOM 1: gone", "ZSHELF 1: gone"])
        #expect(try zoo.store.check().map(\.kind) == [.orphan])
    }

    @Test("a row that is a member of another's relationship stays, with and without an inverse")
    func orphanedMembers() throws {
        let zoo = try Village.store()
        let owned = try #require(CheckLayout(zoo.store.map).key(entity: "Crate", property: "planks"))
        #expect(owned.kind == .owned)
        try zoo.damage(
            "UPDATE ZSHELF SET ZOWNER = NULL WHERE Z_PK IN (1, 2)", "UPDATE ZSHELF SET ZROOM = NULL WHERE Z_PK = 1",
            "INSERT INTO ZCRATE (Z_PK, Z_ENT, Z_OPT) VALUES (1, \(try zoo.number("Crate")), 1)",
            "INSERT INTO ZPLANK (Z_PK, Z_ENT, Z_OPT, \(owned.column)) VALUES (1, \(try zoo.number("Plank")), 1, 1), "
                + "(2, \(try zoo.number("Plank")), 1, NULL)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('Crate', 'Plank')")
        let plan = try zoo.store.repairPlan()
        let (shelf, plank) = (try zoo.id("Shelf", 1), try zoo.id("Plank", 2))
        #expect(plan.steps.map(\.action) == [.deleteRows([plank]), .deleteRows([shelf])])
        #expect(plan.steps.map(\.property) == ["sawmill", "owner"])
        #expect(
            plan.steps[1].description.hasPrefix(
                "Delete 1 row whose 'Shelf.owner' must have a destination and has none, and which no other row "
                    + "references: "))
        #expect(plan.unrepairable.map(\.reason) == [.rowInUse, .rowInUse])
        #expect(
            Set(plan.unrepairable.flatMap(\.finding.examples)) == [try zoo.id("Shelf", 2), try zoo.id("Plank", 1)])
        #expect(try zoo.repair().deletedRows == 2)
    }

    @Test("a mandatory key that the delete rules may have left dangling is a warning, and its row stays")
    func permittedOrphans() throws {
        let zoo = try Village.store()
        try zoo.damage(
            "UPDATE ZSHELF SET ZOWNER = 99 WHERE Z_PK = 2",
            "UPDATE ZSHELF SET ZOWNER = 3, ZROOM = NULL WHERE Z_PK = 3")
        let shelves = try [2, 3].map { try zoo.id("Shelf", $0) }
        let left = StoreFinding(
            .orphan, .warning, entity: "Shelf", property: "owner", count: 1, examples: [shelves[0]])
        #expect(
            try zoo.store.check() == [
                StoreFinding(.orphan, .error, entity: "Shelf", property: "owner", count: 1, examples: [shelves[1]]),
                left,
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.map(\.action) == [.deleteRows([shelves[1]])], "it references a dog")
        #expect(plan.unrepairable == [UnrepairableFinding(finding: left, reason: .rulesPermit)])
        try zoo.repair()
        #expect(try zoo.store.check() == [left])
    }

    @Test("a mandatory one-to-one end is set to the row that refers to it, not deleted")
    func completedMandatoryEnd() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZBADGE SET ZBEARER = NULL WHERE Z_PK = 1", "DELETE FROM ZBADGE WHERE Z_PK = 2")
        #expect(
            try zoo.store.check().map(\.description.first) == ["e", "e", "e"], "badge 1; persons 1, 4 reference badges")
        let before = try zoo.dumpedTables()
        try zoo.repair()
        #expect(
            try zoo.changes(since: before) == [
                "ZBADGE 1 ZBEARER: 1", "ZBADGE 1 Z_OPT: 2", "ZBEING 4 ZBADGE: NULL", "ZBEING 4 Z_OPT: 2",
            ], "completed where it can be, not deleted")
    }

    @Test("a cleared key protects no row; keys to deleted rows are cleared, and their partners are free for others")
    func rowsLetGo() throws {
        let zoo = try Village.store()
        // Cart 1 and boat 2 are deleted together. Carts 3 and 5 refer to boat 2; boat 4 refers to cart 3, no boat to cart 5, whose
        // load is no boat.
        try zoo.damage(
            "UPDATE ZVEHICLE SET ZPLACE = NULL WHERE Z_PK IN (1, 2)",
            "UPDATE ZVEHICLE SET ZTWIN = 2 WHERE Z_PK IN (3, 5)", "UPDATE ZVEHICLE SET ZMATE = NULL WHERE Z_PK = 6",
            "UPDATE ZVEHICLE SET ZLOAD = 1 WHERE Z_PK = 5")
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.deletedRows == 2)
        #expect(
            try zoo.changes(since: before) == [
                "ZVEHICLE 1: gone", "ZVEHICLE 2: gone", "ZVEHICLE 3 ZTWIN: 4", "ZVEHICLE 3 Z_OPT: 2",
                "ZVEHICLE 5 ZLOAD: NULL", "ZVEHICLE 5 ZTWIN: NULL", "ZVEHICLE 5 Z_OPT: 2",
            ])
        #expect(try zoo.store.check() == [])
    }

    @Test("a row to which a repair sets a key is in use, and is not deleted")
    func completionHolds() throws {
        let zoo = try Village.store()
        try zoo.damage(
            "UPDATE ZVEHICLE SET ZPLACE = NULL WHERE Z_PK = 1", "UPDATE ZVEHICLE SET ZMATE = NULL WHERE Z_PK = 2")
        let plan = try zoo.store.repairPlan()
        #expect(plan.unrepairable.map(\.reason) == [.rowInUse])
        try zoo.repair()
        #expect(try zoo.store.check().map(\.kind) == [.orphan])
    }

    @Test("a plan made for another state of the store is refused")
    func outdatedPlan() throws {
        let zoo = try Village.store()
        try zoo.damage("UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK = 2")
        let plan = try zoo.store.repairPlan()
        try zoo.damage("UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK = 3")
        let before = try zoo.dumpedTables()
        #expect(throws: StoreRepairError.outdatedPlan) { try zoo.store.repair(plan) }
        #expect(try zoo.changes(since: before) == [])
        let other = try Village.store()
        #expect(throws: StoreRepairError.outdatedPlan) { try other.store.repair(plan) }
    }

    @Test("a repair that fails half way changes nothing, and removes no file")
    func failingRepair() throws {
        let zoo = try Village.store(.file)
        try zoo.damage(
            "UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK = 2", "UPDATE ZPAPER SET ZSCAN = NULL WHERE Z_PK = 1",
            "DELETE FROM ZLAMP WHERE Z_PK = 1", "UPDATE ZSHELF SET ZROOM = NULL",
            "UPDATE ZROOM SET ZHOUSE = NULL WHERE Z_PK = 1",
            "CREATE TRIGGER stop BEFORE DELETE ON ZROOM BEGIN SELECT RAISE(ABORT, 'stopped'); END")
        let external = ExternalData(storeURL: try #require(zoo.url))
        let files = try external.storedFileNames()
        let before = try zoo.dumpedTables()
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.count == 3)
        let error = #expect(throws: SQLiteError.self) { try zoo.store.repair(plan) }
        #expect(error?.message == "stopped")
        #expect(try zoo.changes(since: before) == [])
        #expect(try external.storedFileNames() == files)
        #expect(try zoo.store.repairPlan() == plan)
        try zoo.damage("DROP TRIGGER stop")
        #expect(try zoo.store.repair(plan).deletedRows == 1, "the same plan still fits")
        #expect(try zoo.store.check() == [])
    }

    @Test("a read-only store can be checked and planned for, not repaired")
    func readOnly() throws {
        let zoo = try Village.store(.file)
        try zoo.damage("UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK = 2")
        let reader = try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: true)
        #expect(try reader.check().map(\.kind) == [.danglingKey])
        let plan = try reader.repairPlan()
        #expect(plan.steps.count == 1)
        #expect(throws: StoreAccessError.readOnly) { try reader.repair(plan) }
    }

    @Test("members of a self-inverse relationship refer back; a repair adds missing links")
    func halfSetMembers() throws {
        var node = EntityDescription("Node")
        node.attributes = [Attribute("name", .string, optional: true)]
        node.relationships = [Relationship("friends", to: "Node", .toMany, inverse: "friends")]
        let zoo = try ZooStore(model: try Model([node]))
        let ids = try (0..<3).map { _ in try zoo.insert("Node", [:]).id }
        try zoo.save {
            $0.links = [
                try zoo.link(ids[0], "friends", added: [ids[0], ids[1], ids[2]]),
                try zoo.link(ids[1], "friends", added: [ids[0]]), try zoo.link(ids[2], "friends", added: [ids[0]]),
            ]
        }
        #expect(try zoo.store.check() == [])
        try zoo.damage("DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS = 1 AND REFLEXIVE = 3")
        #expect(
            try zoo.store.check() == [
                StoreFinding(
                    .halfSetInverse, .warning, entity: "Node", property: "friends", count: 1, examples: [ids[2]])
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.unrepairable.isEmpty)
        #expect(plan.description == "Add the missing inverse to 'Node.friends' of 1 row: \(ids[0].uriText)")
        let result = try zoo.store.repair(plan)
        #expect(result.changedRows == 1 && result.deletedRows == 0)
        #expect(try zoo.history(result.transactionNumber).count == 1)
        #expect(try zoo.members(ids[0], "friends") == ids)
        #expect(try zoo.store.check() == [])
    }

    @Test(
        "missing links are not added if they would need a place in an order, or exceed a maximum",
        arguments: [true, false])
    func undecidedMembers(isOrdered: Bool) throws {
        var node = EntityDescription("Node")
        var friends = Relationship("friends", to: "Node", .toMany, inverse: "friends")
        if isOrdered { friends.isOrdered = true } else { friends.maximumCount = 1 }
        node.relationships = [friends]
        let zoo = try ZooStore(model: try Model([node]))
        let ids = try (0..<3).map { _ in try zoo.insert("Node", [:]).id }
        try zoo.damage("INSERT INTO Z_1FRIENDS (Z_1FRIENDS, REFLEXIVE) VALUES (1, 2), (2, 3), (3, 2)")
        #expect(try zoo.store.check().contains { $0.kind == .halfSetInverse && $0.examples == [ids[0]] })
        let plan = try zoo.store.repairPlan()
        #expect(plan.unrepairable.contains { $0.finding.kind == .halfSetInverse && $0.reason == .choiceNeeded })
        _ = try zoo.store.repair(plan)
        #expect(try zoo.rows("SELECT count(*) FROM Z_1FRIENDS") == [[.integer(3)]])
    }
}
