import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Metadata of a file")
struct StoreMetadataTests {
    private func model() throws -> Model {
        var entity = EntityDescription("Note")
        entity.attributes = [Attribute("text", .string)]
        return try Model([entity], versionIdentifiers: ["1.0.0"])
    }

    private func newFile() throws -> Connection {
        let connection = try Connection(.memory, access: .create)
        for statement in SystemTables.createStatements { try connection.execute(statement) }
        return connection
    }

    @Test("A new file's metadata have all keys of Apple's")
    func newMetadata() throws {
        let uuid = UUID()
        let metadata = StoreMetadata(try model(), uuid: uuid)
        #expect(metadata.uuid == uuid.uuidString)
        #expect(
            Set(metadata.propertyList.keys) == [
                "NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
                "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionIdentifiers",
                "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel",
            ])
        let connection = try newFile()
        try metadata.write(connection)
        #expect(try StoreMetadata(connection) == metadata)
        try StoreCompatibility.check(try model(), try StoreMetadata(connection)) { nil }
    }

    @Test("Files without metadata, or with damaged ones, are refused by type")
    func damaged() throws {
        #expect(throws: StoreMetadataError.missing) {
            try StoreMetadata(try Connection(.memory, access: .create))
        }
        let connection = try newFile()
        #expect(throws: StoreMetadataError.missing) { try StoreMetadata(connection) }
        try connection.execute("INSERT INTO Z_METADATA VALUES (1, 'ID', NULL)")
        #expect(try StoreMetadata(connection).propertyList.isEmpty)
        try connection.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
        #expect(throws: StoreMetadataError.damaged(.notBinary)) { try StoreMetadata(connection) }
    }

    @Test("Another version of the hash algorithm is refused")
    func hashesVersion() throws {
        var metadata = StoreMetadata(try model())
        metadata.propertyList[StoreMetadata.Key.versionHashesVersion] = .integer(4)
        let error = #expect(throws: IncompatibleStoreError.self) {
            try StoreCompatibility.check(try model(), metadata) { nil }
        }
        #expect(error?.hashesVersion == 4)
    }

    @Test("Key table rows can be written and read")
    func primaryKeys() throws {
        let connection = try newFile()
        let rows = PrimaryKeyTable.initialRows(try model())
        try PrimaryKeyTable.insert(rows, connection)
        #expect(try PrimaryKeyTable.rows(connection) == rows)
        #expect(rows == [PrimaryKeyRow(number: 1, name: "Note", superNumber: 0, highestKey: 0)])
    }

    @Test("A file without a model cache has no model of its own")
    func noCache() throws {
        #expect(try ModelCache.model(try newFile()) == nil)
        #expect(try ModelCache.model(try Connection(.memory, access: .create)) == nil)
    }
}
