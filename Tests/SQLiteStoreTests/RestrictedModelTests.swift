import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Stores of a restricted model")
struct RestrictedModelTests {
    private let whole = Result { () throws -> Model in
        var note = EntityDescription("Note")
        note.attributes = [Attribute("text", .string, optional: true)]
        note.relationships = [
            Relationship("tags", to: "Tag", .toMany, inverse: "notes")
        ]
        var tag = EntityDescription("Tag")
        tag.attributes = [Attribute("label", .string, optional: true)]
        tag.relationships = [
            Relationship("notes", to: "Note", .toMany, inverse: "tags")
        ]
        return try Model([EntityDescription("Zebra"), tag, EntityDescription("Ant"), note])
    }

    /// The complete contents of a new file, except its identity.
    private func contents(_ model: Model) throws -> [[String]] {
        let store = try SQLiteStore(model: model, location: .memory)
        var changes = ChangeSet()
        let names = ["Note", "Tag"]
        changes.insertions = try names.map { name in
            let entity = try #require(model.entity(named: name))
            return ChangeSet.Insertion(
                id: .temporary(entityName: name), entityIndex: entity.index, values: [.text(name)])
        }
        guard case .saved(let rows) = try store.save(changes) else { return [] }
        #expect(try store.snapshots(of: rows.inserted.map(\.id)).count == 2)
        let notes = try #require(model.entity(named: "Note"))
        #expect(try store.fetch(Query(entityIndex: notes.index)).map { $0.values[0] } == [.text("Note")])
        return try store.pool.withReader { connection in
            try [
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid",
                "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT",
                "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE", "SELECT Z_ENT || ' ' || ZTEXT FROM ZNOTE",
                "SELECT ZENTITY || ' ' || ZENTITYPK FROM ACHANGE ORDER BY Z_PK",
            ].map { text in
                try connection.withStatement(text) { statement in
                    var lines: [String] = []
                    while try statement.step() { lines.append(statement.text(at: 0)) }
                    return lines
                }
            }
        }
    }

    @Test("the file equals that of a model of the same entities alone")
    func files() throws {
        let whole = try whole.get()
        let part = try contents(whole.restricted(to: ["Note", "Tag"]))
        let alone = try contents(Model(whole.descriptions.filter { ["Note", "Tag"].contains($0.name) }))
        #expect(part == alone)
        #expect(part.allSatisfy { !$0.isEmpty })
    }

    @Test("an entity of another store is refused")
    func elsewhere() throws {
        let store = try SQLiteStore(model: whole.get().restricted(to: ["Note", "Tag"]), location: .memory)
        #expect(throws: UntranslatableExpression.self) { try store.count(Query(entityIndex: 0)) }
        var query = Query(entityIndex: 3)
        query.predicate = .isKind(.variable(.root), entityIndex: 2)
        #expect(try store.count(query) == 0)
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Zebra"), entityIndex: 0, values: [])
        ]
        #expect(throws: ChangeSetError.unknownEntity(index: 0)) { _ = try store.save(changes) }
    }
}
