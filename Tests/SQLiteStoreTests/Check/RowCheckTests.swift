import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Store checker and repair: rows, order, counters, files")
struct RowCheckTests {
    private func summary(_ findings: [StoreFinding]) -> [String] {
        findings.map { "\($0.severity) \($0.kind) \($0.place) \($0.count) \($0.examples.map(\.key))" }
    }

    @Test("missing mandatory values are found, and reported as unrepairable")
    func missingValues() throws {
        let zoo = try Village.store(households: 7)
        try zoo.damage("UPDATE ZHOUSE SET ZNAME = NULL WHERE Z_PK > 1")
        #expect(summary(try zoo.store.check()) == ["error missingValue House.name 6 [2, 3, 4, 5, 6]"])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.valueUnknown])
        #expect(plan.description.contains("'House.name' of 6 rows must have a value and has none"))
        #expect(!plan.description.contains("House 1"), "no value of any attribute")
    }

    @Test("rows of unknown and of abstract entities are found; keys to them are unchanged")
    func unusableEntities() throws {
        let zoo = try Village.store()
        let abstract = try zoo.number("Being")
        try zoo.damage(
            "UPDATE ZBEING SET Z_ENT = 77 WHERE Z_PK = 1", "UPDATE ZBEING SET Z_ENT = NULL WHERE Z_PK = 4",
            "UPDATE ZBEING SET Z_ENT = \(abstract) WHERE Z_PK = 7")
        #expect(
            summary(try zoo.store.check()) == [
                "error unknownEntity Being 2 [1, 4]", "error abstractEntity Being 1 [7]",
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.entityUnknown, .entityUnknown])
    }

    @Test("a key counter below the highest key is raised to it, including history's")
    func lowCounters() throws {
        let zoo = try Village.store()
        try zoo.damage(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME IN ('Room', 'CHANGE')",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'")
        let changes = try #require(try zoo.rows("SELECT max(Z_PK) FROM ACHANGE").first?.first)
        guard case .integer(let highest) = changes else {
            Issue.record("The highest key is \(changes.storageClass).")
            return
        }
        #expect(
            summary(try zoo.store.check()) == [
                "error lowCounter Room 5 []", "error lowCounter CHANGE \(highest - 1) []",
                "error lowCounter TRANSACTION 1 []",
            ])
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(result.changedRows == 0)
        #expect(result.transactionNumber == nil)
        #expect(try zoo.changes(since: before) == [])
        #expect(
            try zoo.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Room', 'CHANGE', 'TRANSACTION')")
                == [[.integer(6)], [changes], [.integer(1)]])
    }

    // MARK: Order

    @Test(
        "members without an order key, or with equal ones, keep their order; the owner counts as updated"
    )
    func orderKeys() throws {
        let zoo = try Village.store()
        let slots = try zoo.relationship("House", "rooms")
        #expect(slots.relationship.isOrdered)
        try zoo.damage(
            "UPDATE ZROOM SET ZHOUSE = 1", "UPDATE ZROOM SET Z_FOK_HOUSE = NULL WHERE Z_PK IN (1, 4)",
            "UPDATE ZROOM SET Z_FOK_HOUSE = 2048 WHERE Z_PK IN (3, 5)",
            "UPDATE ZROOM SET Z_FOK_HOUSE = 3072 WHERE Z_PK IN (2, 6)")
        #expect(
            summary(try zoo.store.check()) == [
                "warning missingOrderKey House.rooms 2 [1, 4]", "warning equalOrderKeys House.rooms 2 [5, 6]",
            ])
        let before = try zoo.dumpedTables()
        let result = try zoo.repair()
        #expect(
            try zoo.changes(since: before) == [
                "ZHOUSE 1 Z_OPT: 2", "ZROOM 1 Z_FOK_HOUSE: 512", "ZROOM 2 Z_FOK_HOUSE: 2560",
                "ZROOM 3 Z_FOK_HOUSE: 1536", "ZROOM 4 Z_FOK_HOUSE: 1024",
            ])
        #expect(try zoo.history(result.transactionNumber).count == 1)
        #expect(
            try zoo.members(try zoo.id("House", 1), "rooms").map(\.key) == [1, 4, 3, 5, 2, 6])
        #expect(try zoo.store.check() == [])
    }

    @Test("members without an order key keep their order also in a join table, and without inverse")
    func otherOrders() throws {
        let zoo = try Village.store()
        let playlist = try zoo.relationship("Playlist", "songs")
        guard
            case .joinTable(let table, _, let member, let order?)? =
                zoo.store.map.entities[try zoo.entity("Playlist").index].toMany[playlist.index]
        else { throw StoreRepairError.outdatedPlan }
        try zoo.damage(
            "UPDATE \(table) SET \(order) = 9 WHERE \(member) IN (1, 2)",
            "UPDATE \(table) SET \(order) = NULL WHERE \(member) = 3",
            "UPDATE ZPHOTO SET Z_FOK_1PHOTOS = NULL WHERE Z_PK IN (5, 6)")
        #expect(
            summary(try zoo.store.check()) == [
                "warning missingOrderKey Album.photos 2 [5, 6]", "warning missingOrderKey Playlist.songs 1 [3]",
                "warning equalOrderKeys Playlist.songs 1 [2]",
            ])
        try zoo.repair()
        #expect(try zoo.members(try zoo.id("Playlist", 1), "songs").map(\.key) == [1, 2])
        #expect(try zoo.members(try zoo.id("Playlist", 2), "songs").map(\.key) == [3, 4])
        #expect(try zoo.members(try zoo.id("Album", 3), "photos").map(\.key) == [5, 6])
        #expect(try zoo.store.check() == [])
    }

    // MARK: Counts

    @Test("too few and too many members are found, and reported as needing a choice")
    func counts() throws {
        let zoo = try Village.store(households: 4)
        try zoo.damage("UPDATE ZDOOR SET ZHOUSE = 2 WHERE Z_PK IN (1, 3)")
        #expect(
            summary(try zoo.store.check()) == [
                "warning tooFewMembers House.doors 2 [1, 3]", "warning tooManyMembers House.doors 1 [2]",
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.choiceNeeded, .choiceNeeded])
    }

    // MARK: Files

    @Test("a value whose file is missing cannot be repaired; an unreferenced file is removed, others stay")
    func files() throws {
        let zoo = try Village.store(.file)
        let external = ExternalData(storeURL: try #require(zoo.url))
        let names = try external.storedFileNames()
        #expect(names.count == 6)
        try zoo.damage("UPDATE ZPAPER SET ZSCAN = NULL WHERE Z_PK = 1")
        #expect(summary(try zoo.store.check()) == ["warning orphanFile  1 []"])
        let foreign = external.folder.appendingPathComponent("notes.txt")
        try Data([1]).write(to: foreign)
        let before = try zoo.dumpedTables()
        #expect(try zoo.repair().removedFiles == 1)
        #expect(try zoo.changes(since: before) == [])
        #expect(FileManager.default.fileExists(atPath: foreign.path))
        for name in try external.storedFileNames() {
            try FileManager.default.removeItem(at: external.folder.appendingPathComponent(name))
        }
        try zoo.damage("UPDATE ZPAPER SET ZSCAN = x'022E2E2F61' WHERE Z_PK = 1")
        #expect(
            summary(try zoo.store.check()) == [
                "error missingFile Paper.scan 3 [1, 2, 3]", "error missingFile Shelf.drawing 3 [1, 2, 3]",
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.fileLost, .fileLost])
    }

    // MARK: The file itself

    @Test("findings of SQLite are reported in its words, and then nothing is repaired")
    func damagedFile() throws {
        let zoo = try Village.store(.file)
        try zoo.damage(
            "UPDATE ZLAMP SET ZROOM = 99 WHERE Z_PK = 1", "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE INDEX ZLAMP_ZROOM_INDEX ON ZLAMP (ZNAME)' "
                + "WHERE name = 'ZLAMP_ZROOM_INDEX'", "PRAGMA writable_schema = RESET")
        let again = try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)))
        let findings = try again.check()
        #expect(findings.first?.kind == .damagedFile)
        #expect(findings.first?.messages.first?.contains("ZLAMP_ZROOM_INDEX") == true)
        #expect(findings.first?.messages.count ?? 0 <= StoreFinding.exampleLimit)
        #expect(findings.dropFirst().map(\.kind) == [.danglingKey])
        let plan = try again.repairPlan()
        #expect(plan.isEmpty)
        #expect(plan.unrepairable.map(\.reason) == [.fileDamaged])
    }

    // MARK: Cost

    @Test("checking and planning take as many statements for thousands of rows as for ten households")
    func statementCount() throws {
        func counts(households: Int) throws -> [Int] {
            let zoo = try Village.store(households: households)
            try zoo.damage(
                "UPDATE ZLAMP SET ZROOM = 999999 WHERE Z_PK % 2 = 0", "UPDATE ZROOM SET ZHOUSE = NULL",
                "UPDATE ZCARD SET ZHOLDER = NULL WHERE Z_PK % 3 = 0", "UPDATE ZPHOTO SET Z_FOK_1PHOTOS = NULL")
            _ = try zoo.store.check()
            let checked = zoo.log.statements.count
            let plan = try zoo.store.repairPlan()
            let planned = zoo.log.statements.count
            #expect(plan.steps.count == 4)
            return [checked, planned - checked]
        }
        #expect(try counts(households: 10) == counts(households: 1000))
    }
}
