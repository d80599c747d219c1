import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// A file that is migrated while a store has it open.
@Suite("Stores open while their file is migrated")
struct OpenWhileMigratedTests {
    private func entity(_ name: String, modifier: String? = nil) -> EntityDescription {
        var attribute = Attribute("name", .string, optional: true)
        attribute.versionHashModifier = modifier
        var description = EntityDescription(name)
        description.attributes = [attribute]
        return description
    }

    private func insert(_ name: String, _ store: SQLiteStore) throws {
        let entity = try #require(store.model.entity(named: name))
        var changes = ChangeSet()
        changes.insertions = [.init(id: .temporary(entityName: name), entityIndex: entity.index, values: [.text("x")])]
        _ = try store.save(changes)
    }

    private static let keys = "SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"

    @Test("a store with outdated entity numbers refuses every write")
    func numbersMoved() throws {
        let file = try MigrationFile()
        let old = try Model([entity("Cat"), entity("Dog")])
        let store = try file.open(old)
        try insert("Cat", store)
        try insert("Dog", store)
        #expect(try file.migrate(to: Model([entity("Ant"), entity("Cat"), entity("Dog")])) == .migrated)
        let before = try file.query(Self.keys)
        #expect(throws: StoreAccessError.otherModel) { try insert("Cat", store) }
        #expect(throws: StoreAccessError.otherModel) {
            try store.delete(DeleteRequest(.matching(Query(entityIndex: 0))))
        }
        #expect(throws: StoreAccessError.otherModel) { try store.reserveIDs(entityIndex: 0, count: 1) }
        #expect(try file.query(Self.keys) == before)
        #expect(try file.query("SELECT Z_PK, Z_ENT FROM ZCAT") == [[.integer(1), .integer(2)]])
    }

    @Test("a migration that changes no table is detected, too")
    func onlyHashes() throws {
        let file = try MigrationFile()
        let store = try file.open(try Model([entity("Cat")]))
        try insert("Cat", store)
        #expect(try file.migrate(to: Model([entity("Cat", modifier: "2")])) == .migrated)
        #expect(throws: StoreAccessError.otherModel) { try insert("Cat", store) }
    }

    @Test("created and dropped tables, and a compacted file, do no harm")
    func otherSchemaChanges() throws {
        let file = try MigrationFile()
        let model = try Model([entity("Cat")])
        let (store, other) = (try file.open(model), try file.open(model))
        try insert("Cat", store)
        var request = DeleteRequest(.matching(Query(entityIndex: 0)))
        request.recovery = .archived()
        _ = try other.delete(request)
        try insert("Cat", store)
        try other.compact()
        try insert("Cat", store)
        try Connection(.file(file.url), access: .readWrite).execute("CREATE TABLE ZEXTRA (a)")
        try insert("Cat", store)
        #expect(try other.count(Query(entityIndex: 0)) == 3)
    }

    @Test("rows of a single-entity table are copied whatever their entity number")
    func strayNumbers() throws {
        let file = try MigrationFile()
        do { for _ in 0..<3 { try insert("Cat", try file.open(try Model([entity("Cat")]))) } }
        do {
            let connection = try Connection(.file(file.url), access: .readWrite)
            try connection.execute(
                "UPDATE ZCAT SET Z_ENT = NULL WHERE Z_PK = 1; UPDATE ZCAT SET Z_ENT = 77 WHERE Z_PK = 2")
        }
        var cat = entity("Cat")
        cat.attributes.append(Attribute("age", .integer64, optional: true))
        let new = try Model([entity("Ant"), cat])
        #expect(try file.migrate(to: new) == .migrated)
        #expect(try file.query("SELECT Z_PK, Z_ENT FROM ZCAT") == (1...3).map { [.integer($0), .integer(2)] })
    }

    @Test("a migration is refused if a hierarchy has rows of unknown entities, and drops none")
    func unknownEntities() throws {
        let file = try MigrationFile()
        func model(_ extra: [Attribute] = []) throws -> Model {
            var (animal, cat) = (entity("Animal"), EntityDescription("Cat", superentity: "Animal"))
            animal.attributes += extra
            cat.attributes = []
            return try Model([animal, cat])
        }
        do {
            let store = try file.open(try model())
            try insert("Animal", store)
            try insert("Cat", store)
        }
        do {
            let connection = try Connection(.file(file.url), access: .readWrite)
            try connection.execute("UPDATE ZANIMAL SET Z_ENT = NULL WHERE Z_PK = 1")
        }
        let new = try model([Attribute("age", .integer64, optional: true)])
        #expect(throws: StoreMigrationError.rowsOfUnknownEntity("Animal")) { try file.migrate(to: new) }
        #expect(try file.query("SELECT count(*) FROM ZANIMAL") == [[.integer(2)]])
        try Connection(.file(file.url), access: .readWrite).execute("UPDATE ZANIMAL SET Z_ENT = 1 WHERE Z_PK = 1")
        #expect(try file.migrate(to: new) == .migrated)
        #expect(try file.query("SELECT count(*) FROM ZANIMAL") == [[.integer(2)]])
    }
}
