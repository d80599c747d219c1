import ObjectGraph
import StoreSQL
import Testing

@Suite("Fitting a map to a file")
struct StorageMapAdjustingTests {
    private static let system = ["Z_PK", "Z_ENT", "Z_OPT"]

    private func model() throws -> Model {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string)]
        item.relationships = [Relationship("tags", to: "Tag", .toMany, inverse: "items")]
        var tag = EntityDescription("Tag")
        tag.relationships = [Relationship("items", to: "Item", .toMany, inverse: "tags")]
        return try Model([item, tag])
    }

    @Test("The order of columns, further columns and further tables do not matter")
    func tolerance() throws {
        let map = StorageMap(try model())
        let tables = FileTables([
            "ZITEM": ["ZNEW", "zname"] + Self.system, "ZTAG": Self.system, "Z_1TAGS": ["Z_2TAGS", "Z_1ITEMS"],
            "OTHER": [],
        ])
        let adjusted = try map.adjusted(to: tables)
        #expect(adjusted.entities[0].columns[0]?.name == "zname")
        #expect(adjusted.entities[0].toMany == map.entities[0].toMany)
    }

    @Test("A join table named after the other side is found")
    func joinTable() throws {
        let tables = FileTables([
            "ZITEM": ["ZNAME"] + Self.system, "ZTAG": Self.system, "Z_2ITEMS": ["Z_1ITEMS", "Z_2TAGS"],
        ])
        let adjusted = try StorageMap(try model()).adjusted(to: tables)
        #expect(
            adjusted.entities[0].toMany == [
                .joinTable(name: "Z_2ITEMS", ownerColumn: "Z_1ITEMS", memberColumn: "Z_2TAGS", orderColumn: nil)
            ])
    }

    @Test("Key columns of a join table are found with a number, but not under another name")
    func numberedKeys() throws {
        func member(_ keys: [String], _ name: String = "Z_1TAGS") throws -> [ToManyStorage?] {
            let tables = FileTables(["ZITEM": ["ZNAME"] + Self.system, "ZTAG": Self.system, name: keys])
            return try StorageMap(try model()).adjusted(to: tables).entities[0].toMany
        }
        #expect(
            try member(["Z_1ITEMS2", "Z_2TAGS1"]) == [
                .joinTable(name: "Z_1TAGS", ownerColumn: "Z_1ITEMS2", memberColumn: "Z_2TAGS1", orderColumn: nil)
            ])
        #expect(
            throws: StorageMapError.missingColumn(
                entity: "Item", property: "tags", table: "Z_1TAGS", column: "Z_2TAGS")
        ) { try member(["Z_1ITEMS", "Z_2TAGSX"]) }
    }

    @Test("Names that end in a digit are not confused with numbered names")
    func digits() throws {
        var person = EntityDescription("Person")
        person.relationships = [
            Relationship("knows", to: "Person", .toMany, inverse: "knows1"),
            Relationship("knows1", to: "Person", .toMany, inverse: "knows"),
        ]
        let tables = FileTables(["ZPERSON": Self.system, "Z_1KNOWS": ["Z_1KNOWS", "Z_1KNOWS1"]])
        let storage = try StorageMap(try Model([person])).adjusted(to: tables).entities[0].toMany
        #expect(
            storage == [
                .joinTable(name: "Z_1KNOWS", ownerColumn: "Z_1KNOWS1", memberColumn: "Z_1KNOWS", orderColumn: nil),
                .joinTable(name: "Z_1KNOWS", ownerColumn: "Z_1KNOWS", memberColumn: "Z_1KNOWS1", orderColumn: nil),
            ])
    }

    @Test("No error reports a damaged file as one of another model")
    func messages() throws {
        let errors: [StorageMapError] = [
            .missingEntity("A"), .missingTable(entity: "A", table: "T"),
            .missingColumn(entity: "A", property: "b", table: "T", column: "C"),
            .missingJoinTable(entity: "A", relationship: "b", table: "T"),
        ]
        for error in errors { #expect(error.description.contains("damaged") && !error.description.contains("model")) }
    }

    @Test("Names that contain entity numbers use the file's numbers")
    func numbers() throws {
        let rows = [(5, "Tag"), (9, "Item")].map {
            PrimaryKeyRow(number: $0.0, name: $0.1, superNumber: 0, highestKey: 0)
        }
        let tables = FileTables([
            "ZITEM": ["ZNAME"] + Self.system, "ZTAG": Self.system, "Z_5ITEMS": ["Z_5TAGS", "Z_9ITEMS"],
        ])
        let adjusted = try StorageMap(try model()).adjusted(to: tables, rows: rows)
        #expect(adjusted.entityIndexByNumber == [9: 0, 5: 1])
        #expect(
            adjusted.entities[0].toMany == [
                .joinTable(name: "Z_5ITEMS", ownerColumn: "Z_9ITEMS", memberColumn: "Z_5TAGS", orderColumn: nil)
            ])
    }

    @Test("A missing table or column is named")
    func missing() throws {
        let map = StorageMap(try model())
        #expect(throws: StorageMapError.missingTable(entity: "Item", table: "ZITEM")) {
            try map.adjusted(to: FileTables([:]))
        }
        #expect(
            throws: StorageMapError.missingColumn(entity: "Item", property: "name", table: "ZITEM", column: "ZNAME")
        ) {
            try map.adjusted(to: FileTables(["ZITEM": Self.system]))
        }
        #expect(throws: StorageMapError.missingJoinTable(entity: "Item", relationship: "tags", table: "Z_1TAGS")) {
            try map.adjusted(to: FileTables(["ZITEM": ["ZNAME"] + Self.system, "ZTAG": Self.system]))
        }
    }

    @Test("A renamed entity may keep its former table")
    func formerTable() throws {
        var entity = EntityDescription("New")
        entity.renamingIdentifier = "Old"
        let rows = [PrimaryKeyRow(number: 1, name: "Old", superNumber: 0, highestKey: 3)]
        let adjusted = try StorageMap(try Model([entity])).adjusted(to: FileTables(["ZOLD": Self.system]), rows: rows)
        #expect(adjusted.entities[0].table == "ZOLD")
    }
}
