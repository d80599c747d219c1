import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Derived attributes computed by a file's own triggers")
struct ForeignTriggerTests {
    private func model() throws -> Model {
        var entity = EntityDescription("Item")
        entity.attributes = [Attribute("name", .string, optional: true)]
        for (name, type, text) in [
            ("search", AttributeType.string, "canonical:(name)"), ("update", .date, "now()"),
            ("odd", .string, "reversed:(name)"),
        ] {
            var attribute = Attribute(name, type, optional: true)
            attribute.derivation = text
            entity.attributes.append(attribute)
        }
        return try Model([entity])
    }

    private func temporaryTriggers(_ store: SQLiteStore) throws -> [String] {
        try store.pool.withWriter { connection in
            let statement = try connection.prepare("SELECT name FROM sqlite_temp_master ORDER BY name")
            var names: [String] = []
            while try statement.step() { names.append(statement.text(at: 0)) }
            return names
        }
    }

    /// With triggers as Apple's files have them for dates, and some of a kind unknown here.
    private func makeFile() throws -> MigrationFile {
        let file = try MigrationFile()
        _ = try file.open(try model())
        let connection = try Connection(.file(file.url), access: .readWrite)
        try connection.execute(
            """
            CREATE TRIGGER Z_DA_ZITEM_Item_update_UPDATE AFTER UPDATE OF Z_OPT ON ZITEM FOR EACH ROW BEGIN UPDATE ZITEM \
            SET ZUPDATE = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; SELECT \
            NSCoreDataDATriggerUpdatedAffectedObjectValue('ZITEM', Z_ENT, Z_PK, 'update', ZUPDATE) FROM ZITEM \
            WHERE Z_PK = NEW.Z_PK; END
            """)
        try connection.execute(
            "CREATE TRIGGER Z_DA_ZITEM_Item_odd_INSERT AFTER INSERT ON ZITEM BEGIN UPDATE ZITEM SET ZODD = 'x' "
                + "WHERE Z_PK = NEW.Z_PK; END")
        return file
    }

    @Test("a file's triggers are used, and missing ones are added for the connection")
    func triggers() throws {
        let file = try makeFile()
        var options = SQLiteStore.Options()
        options.derivations = .mustBeComputed
        let store = try SQLiteStore(model: try model(), location: .file(file.url), options: options)
        #expect(
            try temporaryTriggers(store) == [
                "Z_DA_ZITEM_Item_search_SOURCE_INSERT", "Z_DA_ZITEM_Item_search_SOURCE_UPDATE",
            ])
        try file.insert("Item", [["name": .text("Å")]], store)
        let row = try #require(try store.fetch(Query(entityIndex: 0)).first)
        #expect(Array(row.values) == [.text("Å"), .text("a"), .null, .text("x")])
        var batch = BatchUpdate(Query(entityIndex: 0))
        batch.assignments = [.init(slot: 0, value: .literal(.text("Ö")))]
        let before = Date().timeIntervalSinceReferenceDate
        _ = try store.update(batch)
        let updated = try #require(try store.fetch(Query(entityIndex: 0)).first)
        #expect(updated.values[1] == .text("o"))
        guard case .real(let time) = updated.values[2] else {
            Issue.record("no time")
            return
        }
        #expect(time >= before && time <= Date().timeIntervalSinceReferenceDate)
    }

    @Test("without them, an attribute that cannot be computed refuses a file, if requested, except read-only")
    func refused() throws {
        let file = try MigrationFile()
        _ = try file.open(try model())
        var options = SQLiteStore.Options()
        options.derivations = .mustBeComputed
        #expect(throws: DerivationError.self) {
            try SQLiteStore(model: try model(), location: .file(file.url), options: options)
        }
        #expect(throws: DerivationError.self) {
            try SQLiteStore(model: try model(), location: .memory, options: options)
        }
        _ = try SQLiteStore(model: try model(), location: .file(file.url), isReadOnly: true, options: options)
    }
}
