import Foundation
import TestSupport
import Testing

@testable import SQLiteStore

/// Files whose writer ended in the middle of a transaction, with a rollback journal beside them.
@Suite("Unfinished transactions of rollback journals")
struct HotJournalTests {
    /// A file of 400 rows with the number 0, in the state of a process that was about to change each to 1 and has written the pages
    /// to the file.
    private func unfinished(_ journal: String, in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("written.store")
        let writer = try Connection(.file(url), access: .create)
        try writer.execute("PRAGMA journal_mode = \(journal)")
        try writer.execute("CREATE TABLE t (a, text)")
        try writer.execute(
            "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400) "
                + "INSERT INTO t SELECT 0, hex(randomblob(1000)) FROM n")
        try writer.execute("PRAGMA cache_size = 5")
        try writer.execute("BEGIN IMMEDIATE")
        try writer.execute("UPDATE t SET a = 1, text = hex(randomblob(1000))")
        let left = folder.appendingPathComponent("left.store")
        for ending in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: url.path + ending, toPath: left.path + ending)
        }
        try writer.execute("ROLLBACK")
        return left
    }

    private func numbers(_ connection: Connection, _ sql: String = "SELECT DISTINCT a FROM t") throws -> [Int64] {
        try connection.withStatement(sql) { statement in
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
    }

    @Test(
        "A read-only connection sees the last committed state, and so does the next",
        arguments: ["DELETE", "TRUNCATE", "PERSIST"])
    func reading(journal: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = try unfinished(journal, in: folder.url)
        // Without its journal, the file is a mixture of both.
        let torn = folder.appendingPathComponent("torn.store")
        try FileManager.default.copyItem(at: url, to: torn)
        let hasChanged = try? numbers(try Connection(.file(torn), access: .readOnly)) != [0]
        #expect(hasChanged != false)
        for _ in 0..<2 {
            let reader = try Connection(.file(url), access: .readOnly)
            #expect(try numbers(reader) == [0])
            let damage = "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check != 'ok'"
            #expect(try numbers(reader, damage) == [0])
            #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM t") }
        }
    }
}
