import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// The estimated cost of a delete.
@Suite("Costs of deletes")
struct DeleteCostTests {
    private func cost(_ zoo: ZooStore, _ row: Snapshot) throws -> DeleteCost {
        try zoo.store.cost(of: try zoo.store.plan(DeleteRequest(.rows(RowSet([row.id])))))
    }

    private func dropIndexes(of table: String, _ zoo: ZooStore) throws {
        let names = try zoo.rows(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table)' AND sql NOT NULL")
        for case .text(let name)? in names.map(\.first) { _ = try zoo.rows("DROP INDEX \(name)") }
    }

    @Test("keys without an index are named: of lists, of one-to-one relationships, of join tables")
    func missingIndexes() throws {
        let zoo = try ZooStore()
        let (category, tag) = (try zoo.insert("Category", ["name": .text("c")]), try zoo.insert("Tag", [:]))
        let (person, animal) = (try zoo.insert("Person", [:]), try zoo.insert("Animal", ["name": .text("Ida")]))
        let passport = try zoo.insert("Passport", ["owner": .reference(person.id)])
        try zoo.save { $0.links = [try zoo.link(tag.id, "animals", added: [animal.id])] }
        for row in [category, tag, person, animal, passport] {
            #expect(try cost(zoo, row).unindexed == [], "\(row.id)")
        }
        for table in [
            "ZANIMAL", "ZPASSPORT", "ZPERSON", "ZVISIT", try #require(zoo.store.map.joinColumns.first?.table),
        ] {
            try dropIndexes(of: table, zoo)
        }
        func unindexed(_ row: Snapshot) throws -> [String] { try cost(zoo, row).unindexed.map(\.description).sorted() }
        #expect(try unindexed(category) == ["Category.animals"])
        #expect(try unindexed(person) == ["Person.animals", "Person.passport"])
        #expect(try unindexed(passport) == ["Passport.owner"])
        // One side of a join table is found by its primary key.
        let joined =
            try unindexed(tag).filter { $0 == "Tag.animals" } + unindexed(animal).filter { $0 == "Animal.tags" }
        #expect(joined.count == 1)
        #expect(try unindexed(animal).contains("Animal.visits"))
    }

    @Test("files to remove are counted, with their bytes")
    func files() throws {
        let zoo = try ZooStore(.file)
        let row = try zoo.insert("Everything", ["picture": .bytes(Data(repeating: 1, count: 200_000))])
        let full = try cost(zoo, row)
        #expect(full.fileCount == 1)
        #expect(full.fileBytes == 200_000)
        #expect(try cost(zoo, try zoo.insert("Everything", [:])).fileCount == 0)
    }
}
