import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Operations in steps that end part way report the finished part, the rest, and how to continue.
@Suite("Operations that end part way", .enabled(if: Tool.exists))
struct UnfinishedWorkTests {
    private func backups(_ tool: Tool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { $0.contains("-backup-") }
    }

    private func reportedToken(_ text: String, _ path: String) -> String? {
        text.components(separatedBy: "modelstore restore \(path) ").dropFirst().first?.split(separator: " ").first
            .map(String.init)
    }

    /// Enough labels for several steps.
    private static let count = 2_503

    private func library(_ tool: Tool) throws -> String {
        let path = try tool.library()
        try tool.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
            INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Label'), 1, 'Label ' || i FROM n
            """, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.count) WHERE Z_NAME = 'Label'")
        return path
    }

    /// Labels are deleted one by one, until the last fails.
    private static let failing = """
        CREATE TRIGGER stop BEFORE DELETE ON ZLABEL WHEN (SELECT count(*) FROM ZLABEL) = 1
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """

    /// The trigger that makes it fail must be allowed to run.
    private static let inSteps = ["--write", "--yes", "--rows-at-once", "100", "--run-triggers"]

    @Test("A delete that fails after some steps reports the deleted rows and how to restore them, and keeps its backup")
    func delete() throws {
        let tool = try Tool()
        let path = try library(tool)
        try tool.execute(Self.failing)
        let result = try tool.run(["delete", path, "Label"] + Self.inSteps)
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains(/modelstore: .*no/), "\(result.errors)")
        #expect(result.errors.contains(/\n[1-9],?[0-9]+ rows had gone already\./), "\(result.errors)")
        #expect(result.errors.contains("Go on with: modelstore delete"), "\(result.errors)")
        #expect(!result.errors.contains("Nothing was changed"), "\(result.errors)")
        #expect(try backups(tool).count == 1)
        #expect(try tool.run("info", path).output.contains("1 long delete"))
        try tool.execute("DROP TRIGGER stop")
        let token = try #require(reportedToken(result.errors, path))
        #expect(try tool.run("restore", path, token, "--write", "--no-backup").status == 0)
        #expect(try tool.run("count", path, "Label").output == "2503\n")
        // Resumed, it would delete the restored rows again.
        #expect(try tool.run("delete", path, "--unfinished").output == "No delete was left unfinished.\n")
    }

    @Test("JSON contains the deleted rows and the token to restore them, though the delete failed")
    func deleteForPrograms() throws {
        let tool = try Tool()
        let path = try library(tool)
        try tool.execute(Self.failing)
        let result = try tool.run(["delete", path, "Label"] + Self.inSteps + ["--format", "json"])
        #expect(result.status == 2, "\(result.errors)")
        let fields = try result.fields()
        let deleted = try #require(fields["deleted"] as? Int)
        #expect((1..<Self.count).contains(deleted))
        #expect(fields["token"] as? String == reportedToken(result.errors, path))
        let backup = try #require(fields["backup"] as? String)
        #expect(try backups(tool) == [URL(fileURLWithPath: backup).lastPathComponent])
    }

    @Test("A delete that fails in its first step leaves nothing to resume")
    func nothingDone() throws {
        let tool = try Tool()
        let path = try library(tool)
        try tool.execute("CREATE TRIGGER stop BEFORE DELETE ON ZLABEL BEGIN SELECT RAISE(ABORT, 'no'); END")
        let result = try tool.run(["delete", path, "Label"] + Self.inSteps + ["--format", "json"])
        #expect(result.status == 2 && result.output.isEmpty && !result.errors.contains("gone"), "\(result.errors)")
        #expect(!result.errors.contains("--run-triggers"), "\(result.errors)")
        #expect(try !tool.run("info", path).output.contains("long delete"))
    }

    @Test("A restore that fails after some steps reports the restored rows; the same command restores the others")
    func restore() throws {
        let tool = try Tool()
        let path = try library(tool)
        let deleted = try tool.run(
            "delete", path, "Label", "--write", "--yes", "--no-backup", "--rows-at-once", "100", "--format", "json")
        let token = try #require(try deleted.fields()["token"] as? String)
        try tool.execute(
            """
            CREATE TRIGGER stop BEFORE INSERT ON ZLABEL WHEN (SELECT count(*) FROM ZLABEL) = \(Self.count - 1)
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let again = ["restore", path, token, "--write", "--no-backup", "--run-triggers"]
        let failed = try tool.run(again + ["--format", "json"])
        #expect(failed.status == 2, "\(failed.errors)")
        #expect(
            failed.errors.contains(/modelstore: [1-9],?[0-9]+ rows had been restored already\./), "\(failed.errors)")
        let restored = try #require(try failed.fields()["restored"] as? Int)
        #expect((1..<Self.count).contains(restored))
        let stuck = try tool.run(again)
        #expect(stuck.status == 2 && stuck.errors.contains("no"), "\(stuck.errors)")
        #expect(!stuck.errors.contains("come back") && !stuck.errors.contains("--run-triggers"), "\(stuck.errors)")
        try tool.execute("DROP TRIGGER stop")
        let rest = try tool.run("restore", path, token, "--write", "--no-backup", "--format", "json").fields()
        #expect(rest["restored"] as? Int == Self.count - restored)
        #expect(try tool.run("count", path, "Label").output == "2503\n")
    }

    @Test("An erasure of traces alone that fails part way reports that some were erased")
    func traces() throws {
        let tool = try Tool()
        let path = try tool.library()
        _ = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup")
        try tool.execute("CREATE TRIGGER keep BEFORE DELETE ON ATRANSACTION BEGIN SELECT RAISE(ABORT, 'no'); END")
        for arguments in [["erase", path, "--traces"], ["erase", path, "Book", "--where", "title == 'None'"]] {
            let kept = try tool.run("restore", path, "--format", "json").list().count
            let result = try tool.run(arguments + ["--write", "--yes", "--run-triggers"])
            #expect(result.status == 2, "\(result.errors)")
            let text = "Some traces of earlier deletes had gone already, but traces are still in the file."
            #expect(result.errors.contains(text) == (kept > 0), "\(result.errors)")
            #expect(!result.errors.contains("as it was"), "\(result.errors)")
            _ = try tool.run(
                "delete", path, "Reader", "--where", "books.@count == 0", "--write", "--yes", "--run-triggers")
            try tool.execute("UPDATE ZBOOK SET ZREADER = NULL")
        }
    }
}
