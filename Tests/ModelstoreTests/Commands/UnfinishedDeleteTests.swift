import Foundation
import Testing

@testable import SQLiteStore

/// Long deletes that ended part way are resumed, or abandoned.
@Suite("Deletes that end part way", .enabled(if: Tool.exists))
struct UnfinishedDeleteTests {
    /// A row in each step, so that the duration of a step does not matter; the trigger that makes it fail may run.
    private static let delete = ["Shelf", "--write", "--yes", "--no-backup", "--rows-at-once", "1", "--run-triggers"]

    /// Of the fifteen rows of deleting all shelves, the twelve books are deleted.
    private func failed(_ tool: Tool, _ path: String) throws -> (id: String, result: Tool.Result) {
        try tool.execute("CREATE TRIGGER no BEFORE DELETE ON ZSHELF BEGIN SELECT RAISE(ABORT, 'no'); END")
        let result = try tool.run(["delete", path] + Self.delete)
        let list = try tool.run("delete", path, "--unfinished", "--format", "json").list()
        #expect(list.count == 1 && list.first?["gone"] as? Int == 12 && list.first?["rows"] as? Int == 15)
        #expect(list.first?["kept"] as? Bool == true && list.first?["author"] as? String == "modelstore")
        return (try #require(list.first?["id"] as? String), result)
    }

    private func rows(_ tool: Tool, _ path: String) throws -> String { try tool.run("export", path).output }

    private func hasOwnTables(_ tool: Tool) throws -> Bool {
        let connection = try Connection(.file(tool.url("a.store")), access: .readOnly)
        return try JobTable(connection: connection).exists
    }

    @Test("A delete that fails reports the deleted rows and how to resume, is resumed, and restored as one")
    func resuming() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        let (id, result) = try failed(tool, path)
        #expect(result.status == 2 && result.errors.contains("12 rows had gone already."), "\(result.errors)")
        #expect(result.errors.contains("modelstore delete \(path) --resume \(id) --write"), "\(result.errors)")
        #expect(result.errors.contains("--drop \(id)") && result.errors.contains("modelstore restore \(path) \(id)"))
        #expect(try tool.run("count", path, "Book").output == "0\n")
        #expect(try tool.run("info", path).output.contains("1 long delete"))
        let state = try tool.state()
        let shown = try tool.run("delete", path, "--resume", String(id.prefix(8)))
        #expect(shown.output.hasPrefix("12 of 15 rows are gone already. What is left:\n"), "\(shown.output)")
        #expect(shown.errors.contains("--write"))
        #expect(try tool.run("delete", path, "--resume", id, "--format", "json").fields()["deleted"] as? Int == 3)
        #expect(try tool.state() == state)
        let stuck = try tool.run("delete", path, "--resume", id, "--write", "--yes", "--no-backup", "--run-triggers")
        #expect(stuck.status == 2 && stuck.errors.contains("12 rows had gone already."), "\(stuck.errors)")
        try tool.execute("DROP TRIGGER no")
        #expect(try tool.run("check", path).status == 0)
        let resumed = try tool.run(
            "delete", path, "--resume", String(id.prefix(8)), "--write", "--yes", "--no-backup")
        #expect(resumed.output.contains("15 rows deleted, 12 of them before."), "\(resumed.output)\(resumed.errors)")
        #expect(try tool.run("delete", path, "--unfinished").output == "No delete was left unfinished.\n")
        #expect(try !hasOwnTables(tool))
        let restored = try tool.run("restore", path, id, "--write", "--no-backup")
        #expect(restored.output.contains("15 rows restored"), "\(restored.errors)")
        #expect(try rows(tool, path) == before)
    }

    @Test("An abandoned delete is forgotten; its remaining rows stay, and the deleted ones can be restored")
    func dropping() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        let (id, _) = try failed(tool, path)
        let state = try tool.state()
        let shown = try tool.run("delete", path, "--drop", id)
        #expect(shown.output == "12 of 15 rows are gone already; the others would stay.\n", "\(shown.errors)")
        #expect(try tool.state() == state)
        let dropped = try tool.run(
            "delete", path, "--drop", id, "--write", "--no-backup", "--run-triggers", "--format", "json"
        ).fields()
        #expect(dropped["id"] as? String == id && dropped["gone"] as? Int == 12)
        #expect(try !hasOwnTables(tool))
        #expect(try tool.run("count", path, "Shelf").output == "3\n")
        let again = try tool.run("delete", path, "--resume", id, "--write", "--yes")
        #expect(again.status == 2 && again.errors.contains("No delete was left unfinished"), "\(again.errors)")
        try tool.execute("DROP TRIGGER no")
        #expect(try tool.run("restore", path, id, "--write", "--no-backup").status == 0)
        #expect(try rows(tool, path) == before)
    }

    @Test("A delete that fails before any row was deleted is forgotten at once")
    func nothingGone() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        try tool.execute("CREATE TRIGGER no BEFORE DELETE ON ZBOOK BEGIN SELECT RAISE(ABORT, 'no'); END")
        let failed = try tool.run(["delete", path] + Self.delete)
        #expect(failed.status == 2 && !failed.errors.contains("--resume"), "\(failed.errors)")
        #expect(!failed.errors.contains("--run-triggers"), "\(failed.errors)")
        #expect(
            try tool.run("delete", path, "--unfinished", "--format", "csv").output == "id,begun,gone,rows,kept,author\n"
        )
        #expect(try rows(tool, path) == before)
    }

    @Test("Exactly one action must be given")
    func misunderstood() throws {
        let tool = try Tool()
        let path = try tool.library()
        for arguments in [
            [], ["Shelf", "--unfinished"], ["--resume", "1234", "--drop", "1234"], ["--unfinished", "--forever"],
            ["--resume", "1234", "--where", "name == 'x'"],
        ] {
            #expect(try tool.run(["delete", path] + arguments).status == 64, "\(arguments)")
        }
        let (id, _) = try failed(tool, path)
        for (text, reason) in [("1", "at least 4"), (UUID().uuidString, "No unfinished delete is called")] {
            let refused = try tool.run("delete", path, "--resume", text)
            #expect(refused.status == 2 && refused.errors.contains(reason), "\(refused.errors)")
        }
        #expect(try tool.run("delete", path, "--resume", id.lowercased()).status == 0)
    }

    #if os(Linux)
    @Test("A delete that is stopped with Ctrl-C finishes its step, and can be resumed")
    func stopping() throws {
        let tool = try Tool()
        let path = try tool.library()
        // The first of them enumerates 3 to the power of 17 combinations: seconds.
        let tables = (0..<17).map { "ZLABEL l\($0)" }.joined(separator: ", ")
        try tool.execute(
            """
            CREATE TRIGGER slow BEFORE DELETE ON ZSHELF WHEN (SELECT count(*) FROM ZSHELF) = 3
            BEGIN SELECT count(*) FROM \(tables); END
            """)
        let session = try TerminalSession(
            tool, "delete", path, "Shelf", "--write", "--yes", "--no-backup", "--rows-at-once", "1", "--run-triggers")
        try session.read(until: "Deleting")
        try session.read(until: "80 %")
        session.type(TerminalSession.Key.interrupt)
        let end = session.finish()
        #expect(end.status == 130 && end.text.contains("Stopped. 13 rows had gone already."), "\(end.text)")
        let id = try #require(end.text.firstMatch(of: /--resume ([0-9A-F-]{36})/)).1
        try tool.execute("DROP TRIGGER slow")
        #expect(try tool.run("count", path, "Shelf").output == "2\n" && tool.run("check", path).status == 0)
        let resumed = try tool.run("delete", path, "--resume", String(id), "--write", "--yes", "--no-backup")
        #expect(resumed.output.contains("15 rows deleted, 13 of them before."), "\(resumed.errors)")
        #expect(try tool.run("count", path, "Shelf").output == "0\n")
    }
    #endif
}
