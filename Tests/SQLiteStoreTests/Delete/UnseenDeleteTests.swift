import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Deletes of rows without delete rules")
struct UnseenDeleteTests {
    private static func entity(
        _ name: String, superentity: String? = nil, _ attributes: [Attribute] = [], _ relationships: [Relationship] = []
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = attributes
        description.relationships = relationships
        return description
    }

    /// `Note` and `Memo` stand alone; `Shelf` and `Book` do not, nor does `Scan`, whose values are in files.
    private func zoo(_ history: SchemaLayout.HistoryKind = .without) throws -> ZooStore {
        var picture = Attribute("picture", .binary, optional: true)
        picture.allowsExternalStorage = true
        let model = try Model([
            Self.entity("Note", [Attribute("level", .integer64, optional: true)]),
            Self.entity("Memo", superentity: "Note"),
            Self.entity("Scan", [picture]),
            Self.entity("Shelf", [], [Relationship("books", to: "Book", .toMany, inverse: "shelf")]),
            Self.entity("Book", [], [Relationship("shelf", to: "Shelf", .toOne, inverse: "books")]),
        ])
        return try ZooStore(model: model, history: history)
    }

    private func query(_ zoo: ZooStore, _ name: String, levelAbove level: Int64? = nil) throws -> Query {
        let entity = try #require(zoo.store.model.entity(named: name))
        var query = Query(entityIndex: entity.index)
        if let level, let slot = entity.attribute(named: "level")?.slots.first {
            let place = AttributeReference(entityIndex: entity.index, slot: slot, path: "level")
            query.predicate = .compare(.greater, .attribute(.variable(.root), place), .literal(.integer(level)))
        }
        return query
    }

    private func fill(_ zoo: ZooStore) throws {
        for level in 0..<10 { _ = try zoo.insert("Note", ["level": .integer(Int64(level))]) }
        for level in 0..<10 { _ = try zoo.insert("Memo", ["level": .integer(Int64(level))]) }
    }

    @Test("rows are deleted by predicate in one statement, with or without subentities")
    func byPredicate() throws {
        let zoo = try zoo()
        try fill(zoo)
        zoo.log.clear()
        #expect(try zoo.store.deleteUnseen(query(zoo, "Memo", levelAbove: 6)) == 3)
        let deletes = zoo.log.statements.filter { $0.hasPrefix("DELETE") }
        #expect(deletes == ["DELETE FROM ZNOTE AS t0 WHERE +t0.Z_ENT = 3 AND t0.ZLEVEL > ?"])
        #expect(try zoo.fetch("Note").count == 17)
        var notesOnly = try query(zoo, "Note", levelAbove: 4)
        notesOnly.includesSubentities = false
        #expect(try zoo.store.deleteUnseen(notesOnly) == 5)
        #expect(try zoo.store.deleteUnseen(query(zoo, "Note", levelAbove: 2)) == 2 + 4)
        #expect(try zoo.store.deleteUnseen(query(zoo, "Note")) == 6)
        #expect(try zoo.fetch("Note").isEmpty)
    }

    @Test("no row is deleted this way if the identity of the rows is needed")
    func refused() throws {
        let zoo = try zoo()
        try fill(zoo)
        for name in ["Shelf", "Book", "Scan"] {
            _ = try zoo.insert(name, [:])
            #expect(try zoo.store.deleteUnseen(query(zoo, name)) == nil, "\(name)")
            #expect(try zoo.fetch(name).count == 1, "\(name)")
        }
        var limited = try query(zoo, "Note")
        limited.limit = 1
        #expect(try zoo.store.deleteUnseen(limited) == nil)
        let logged = try self.zoo(.with)
        try fill(logged)
        #expect(try logged.store.deleteUnseen(query(logged, "Note")) == nil)
        #expect(try zoo.fetch("Note").count == 20 && logged.fetch("Note").count == 20)
    }

    @Test("the same rows are deleted as by a plan")
    func agreement() throws {
        for level in [Int64(-1), 3, 20] {
            let (unseen, planned) = (try zoo(), try zoo())
            try fill(unseen)
            try fill(planned)
            let count = try unseen.store.deleteUnseen(query(unseen, "Note", levelAbove: level))
            let result = try planned.store.delete(DeleteRequest(.matching(query(planned, "Note", levelAbove: level))))
            #expect(count == result.plan.deleted.count)
            #expect(try unseen.fetch("Note").map(\.id.key) == planned.fetch("Note").map(\.id.key))
        }
    }
}
