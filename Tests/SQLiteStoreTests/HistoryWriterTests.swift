import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("History of saves")
struct HistoryWriterTests {
    @Test("each save is one transaction, each row one change, in the order of execution")
    func rows() throws {
        let zoo = try ZooStore()
        let number = { (name: String) in Int64(zoo.store.map.entities[try zoo.entity(name).index].entityNumber) }
        let first = try zoo.insert("Animal", ["name": .text("Ida"), "age": .integer(1)])
        let keeper = try zoo.insert("Keeper", ["name": .text("Kim")])
        var changes = ChangeSet()
        changes.author = "me"
        changes.updates = [try zoo.update(keeper, ["badge": .integer(1)])]
        changes.deletions = [try zoo.deletion(first)]
        guard case .saved(let saved) = try zoo.store.save(changes) else {
            Issue.record("conflict")
            return
        }
        #expect(saved.transactionNumber == 3)
        let rows = try zoo.rows(
            "SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS IS NULL, ZTOMBSTONE0 "
                + "FROM ACHANGE ORDER BY Z_PK")
        func row(_ key: Int64, _ kind: Int64, _ entity: String, _ row: Int64, _ transaction: Int64, _ tombstone: Cell)
            throws -> [Cell]
        {
            [
                .integer(key), .integer(16001), .null, .integer(kind), .integer(try number(entity)), .integer(row),
                .integer(transaction), .integer(kind == 1 ? 0 : 1), tombstone,
            ]
        }
        #expect(
            rows == [
                try row(1, 0, "Animal", 1, 1, .null), try row(2, 0, "Keeper", 1, 2, .null),
                try row(3, 2, "Animal", 1, 3, .text("Ida")), try row(4, 1, "Keeper", 1, 3, .null),
            ])
        let process = ProcessInfo.processInfo.processName
        let transactions = try zoo.rows(
            "SELECT t.Z_PK, t.Z_ENT, a.ZNAME, p.ZNAME, t.ZAUTHOR, t.ZTIMESTAMP > 0 FROM ATRANSACTION t "
                + "LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS "
                + "JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY t.Z_PK")
        #expect(transactions.count == 3)
        #expect(
            transactions.last == [.integer(3), .integer(16002), .text("me"), .text(process), .null, .integer(1)])
        #expect(transactions.first?[2] == .null)
        let counters = try zoo.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        #expect(
            counters.prefix(2) == [
                [.integer(16001), .text("CHANGE"), .integer(0), .integer(4)],
                [.integer(16002), .text("TRANSACTION"), .integer(0), .integer(3)],
            ])
    }

    @Test("deletions of several entities preserve each row's own values, in every save")
    func tombstones() throws {
        var shared = Attribute("name", .string)
        shared.preservesValueOnDeletion = true
        var first = EntityDescription("First")
        first.attributes = [shared]
        var second = EntityDescription("Second")
        second.attributes = [shared]
        var plain = EntityDescription("Plain")
        plain.attributes = [Attribute("name", .string)]
        let zoo = try ZooStore(model: try Model([first, second, plain]))
        for round in 0..<2 {
            let rows = try ["First", "Second", "Plain", "First", "Second"].enumerated().map {
                try zoo.insert($1, ["name": .text("\(round)\($1)\($0)")])
            }
            try zoo.save { $0.deletions = try rows.map { try zoo.deletion($0) } }
        }
        let kept = try zoo.rows("SELECT ZTOMBSTONE0 FROM ACHANGE WHERE ZCHANGETYPE = 2 AND ZTOMBSTONE0 IS NOT NULL")
        let names = (0..<2).flatMap { round in
            ["First0", "First3", "Second1", "Second4"].map { Cell.text("\(round)\($0)") }
        }
        #expect(Set(kept) == Set(names.map { [$0] }))
        #expect(kept.count == names.count)
        #expect(try zoo.rows("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 2") == [[.integer(10)]])
    }

    @Test("changed columns: to-one keys, attributes, to-many, inherited first, by name")
    func changedColumns() throws {
        let zoo = try ZooStore()
        let animal = ChangedColumns(entity: try zoo.entity("Animal"), model: zoo.model)
        // category, keeper (two), age, born, name, weight, tags, visits
        #expect(animal.bitCount == 9)
        func slot(_ entity: String, _ name: String) throws -> Int {
            let entity = try zoo.entity(entity)
            return try #require(entity.slots.indices.first { entity.propertyName(ofSlot: $0) == name })
        }
        #expect(animal.bytes(slots: [try slot("Animal", "category")], toMany: []) == Data([0b1000_0000, 0]))
        #expect(animal.bytes(slots: [try slot("Animal", "keeper")], toMany: []) == Data([0b0110_0000, 0]))
        #expect(animal.bytes(slots: [try slot("Animal", "age")], toMany: []) == Data([0b0001_0000, 0]))
        #expect(animal.bytes(slots: [try slot("Animal", "weight")], toMany: []) == Data([0b0000_0010, 0]))
        let tags = try zoo.relationship("Animal", "tags").index
        let visits = try zoo.relationship("Animal", "visits").index
        #expect(animal.bytes(slots: [], toMany: [tags, visits]) == Data([0b0000_0001, 0b1000_0000]))
        // boss (two), passport, name, badge, animals
        let keeper = ChangedColumns(entity: try zoo.entity("Keeper"), model: zoo.model)
        #expect(keeper.bitCount == 6)
        #expect(keeper.bytes(slots: [try slot("Keeper", "badge")], toMany: []) == Data([0b0000_1000]))
        #expect(keeper.bytes(slots: [try slot("Keeper", "name")], toMany: []) == Data([0b0001_0000]))
    }

    @Test("a file without history tables gets no history")
    func withoutHistory() throws {
        var options = SQLiteStore.Options()
        options.history = .without
        let model = try Zoo.model()
        let store = try SQLiteStore(model: model, location: .memory, options: options)
        let tag = try #require(model.entity(named: "Tag"))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Tag"), entityIndex: tag.index, values: [.null])
        ]
        guard case .saved(let saved) = try store.save(changes) else {
            Issue.record("conflict")
            return
        }
        #expect(saved.transactionNumber == nil)
        #expect(try store.count(Query(entityIndex: tag.index)) == 1)
    }
}
