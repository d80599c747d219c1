import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

/// Keys of a file that no index begins with.
@Suite("Keys without index")
struct KeyIndexTests {
    /// The warnings of a zoo's file in which the statements were run, as `Entity.relationship table.column`.
    private func warnings(after statements: [String] = [], isReadOnly: Bool = false) throws -> [String] {
        let zoo = try ZooStore(.file)
        #expect(zoo.store.openingWarnings == [], "a new file has its indexes")
        for statement in statements { _ = try zoo.rows(statement) }
        let again = try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: isReadOnly)
        return try again.openingWarnings.map { warning in
            guard case .keyWithoutIndex(let end, let table, let column) = warning else {
                throw UnexpectedWarning(warning: warning)
            }
            return "\(end) \(table).\(column)"
        }
    }

    private struct UnexpectedWarning: Error {
        let warning: DeleteRuleWarning
    }

    private func indexName(_ column: String) throws -> String {
        let zoo = try ZooStore(.file)
        let names = try zoo.rows(
            "SELECT list.name FROM sqlite_master AS master JOIN pragma_index_list(master.name) AS list "
                + "JOIN pragma_index_info(list.name) AS info WHERE info.name = '\(column)' AND info.seqno = 0 "
                + "AND list.origin = 'c'")
        guard case .text(let name)? = names.first?.first else { throw CocoaError(.coderValueNotFound) }
        return name
    }

    @Test("a new file lacks none, opened to write or to read")
    func complete() throws {
        #expect(try warnings() == [])
        #expect(try warnings(isReadOnly: true) == [])
        #expect(try ZooStore(.memory).store.openingWarnings == [])
    }

    @Test("a missing index is found, for keys of every kind")
    func dropped() throws {
        #expect(
            try warnings(after: ["DROP INDEX \(try indexName("ZCATEGORY"))"]) == ["Animal.category ZANIMAL.ZCATEGORY"])
        #expect(try warnings(after: ["DROP INDEX \(try indexName("ZBOSS"))"]) == ["Person.boss ZPERSON.ZBOSS"])
        let map = StorageMap(try Zoo.model())
        let album = try #require(map.model.entity(named: "Album"))
        let photos = try #require(album.relationship(named: "photos"))
        guard case .foreignKey(let table, let column, _, _, _)? = map.entities[album.index].toMany[photos.index] else {
            Issue.record("a to-many relationship without inverse has a key of its own")
            return
        }
        #expect(
            try warnings(after: ["DROP INDEX \(try indexName(column))"], isReadOnly: true)
                == ["Album.photos \(table).\(column)"])
    }

    @Test("a join table needs an index for either end; its primary key is one of them")
    func join() throws {
        let map = StorageMap(try Zoo.model())
        let tag = try #require(map.model.entity(named: "Tag"))
        let animal = try #require(map.model.entity(named: "Animal"))
        let ends = try [(tag, "animals"), (animal, "tags")].map { entity, name in
            let storage = map.entities[entity.index].toMany[try #require(entity.relationship(named: name)).index]
            guard case .joinTable(let table, let owner, _, _)? = storage else { throw CocoaError(.coderValueNotFound) }
            return (name: "\(entity.name).\(name)", table: table, column: owner)
        }
        let names = try ZooStore(.file).rows(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(ends[0].table)' AND sql NOT NULL")
        guard names.count == 1, case .text(let name) = names[0][0] else {
            Issue.record("a join table has one index beside its primary key")
            return
        }
        let found = try warnings(after: ["DROP INDEX \(name)"])
        #expect(found.count == 1)
        #expect(ends.map { "\($0.name) \($0.table).\($0.column)" }.contains(found.first ?? ""))
    }

    @Test("an index that begins with the key suffices, whatever its case; a partial index or a later position does not")
    func otherIndexes() throws {
        let drop = "DROP INDEX \(try indexName("ZCATEGORY"))"
        #expect(try warnings(after: [drop, "CREATE INDEX mine ON zanimal (zcategory DESC, ZNAME)"]) == [])
        let expected = ["Animal.category ZANIMAL.ZCATEGORY"]
        #expect(try warnings(after: [drop, "CREATE INDEX mine ON ZANIMAL (ZNAME, ZCATEGORY)"]) == expected)
        #expect(
            try warnings(after: [drop, "CREATE INDEX mine ON ZANIMAL (ZCATEGORY) WHERE ZCATEGORY > 7"]) == expected)
        #expect(try warnings(after: [drop, "CREATE INDEX mine ON ZANIMAL (ZCATEGORY + 0)"]) == expected)
    }

    @Test("a relationship that is its own inverse needs both columns of its join table")
    func reflexive() throws {
        var person = EntityDescription("Person")
        person.relationships = [Relationship("friends", to: "Person", .toMany, inverse: "friends")]
        let map = StorageMap(try Model([person]))
        #expect(map.keyPlaces.map(\.end.description) == ["Person.friends", "Person.friends"])
        #expect(Set(map.keyPlaces.map(\.place.column)).count == 2)
    }
}
