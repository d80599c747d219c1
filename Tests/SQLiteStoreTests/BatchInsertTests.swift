import ObjectGraph
import SQLiteStore
import Testing

@Suite("Batch inserts into a store")
struct BatchInsertTests {
    /// Inserts photos 0, 1, 2 and so on; returns the number of rows requested.
    private func insertPhotos(_ count: Int, into zoo: ZooStore) throws -> Int {
        let entity = try zoo.entity("Photo")
        var asked = 0
        let rows = try (0..<count).map { try zoo.values("Photo", ["path": .text("\($0)")]) }
        #expect(throws: (any Error).self) {
            _ = try zoo.store.insert(BatchInsert(entityIndex: entity.index)) { row in
                defer { asked += 1 }
                guard rows.indices.contains(asked) else { return false }
                row = BatchInsert.Row(values: Array(rows[asked]), given: Array(entity.slots.indices))
                return true
            }
        }
        return asked
    }

    @Test("If a table has triggers, rows are written one by one, not collected first")
    func triggers() throws {
        let zoo = try ZooStore(.file)
        let url = try #require(zoo.url)
        try Connection(.file(url), access: .readWrite).execute(
            """
            CREATE TRIGGER third AFTER INSERT ON ZPHOTO WHEN (SELECT count(*) FROM ZPHOTO) = 3
            BEGIN SELECT RAISE(ABORT, 'no more'); END
            """)
        #expect(try insertPhotos(1000, into: zoo) == 3)
        #expect(try zoo.fetch("Photo").isEmpty)
    }
}
