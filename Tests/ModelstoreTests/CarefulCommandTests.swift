import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Commands that could do harm by a slip, or tell less than there is.
@Suite("Careful commands", .enabled(if: Tool.exists))
struct CarefulCommandTests {
    private func library(_ tool: Tool) throws -> String {
        try Library.makeFile(at: tool.url("a.store"))
        return tool.path("a.store")
    }

    private func execute(_ tool: Tool, _ statements: String...) throws {
        let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
        for statement in statements { try connection.execute(statement) }
    }

    @Test("Source and diagrams are not written over a file that is there")
    func schemaOutput() throws {
        let tool = try Tool()
        let path = try library(tool)
        let before = try tool.state()
        let refused = try tool.run("schema", path, "--as", "swift", "-o", path)
        #expect(refused.status == 2 && refused.errors.contains("a.store"), "\(refused.errors)")
        #expect(try tool.run("schema", path, "-o", tool.path("list.txt")).status == 64)
        #expect(try tool.state() == before)
        #expect(try tool.run("schema", path, "--as", "swift", "-o", tool.path("new.swift")).status == 0)
        #expect(try String(contentsOf: tool.url("new.swift"), encoding: .utf8).contains("@Model"))
    }

    @Test("An erasure that cannot be finished tells what has happened and how to finish it")
    func unfinishedErasure() throws {
        let tool = try Tool()
        let path = try library(tool)
        try execute(
            tool, "CREATE TRIGGER keep BEFORE DELETE ON ATRANSACTION BEGIN SELECT RAISE(ABORT, 'no'); END")
        let result = try tool.run("erase", path, "Book", "--where", "title == 'Book 11'", "--write", "--yes")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains("1 row had gone already"), "\(result.errors)")
        #expect(result.errors.contains("--traces --write"), "\(result.errors)")
        try execute(tool, "DROP TRIGGER keep")
        let finished = try tool.run("erase", path, "--traces", "--write", "--yes")
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(try Data(contentsOf: tool.url("a.store")).range(of: Data("Book 11".utf8)) == nil)
    }

    @Test("Giving up kept deletes asks before anything is copied or opened for writing")
    func forgetting() throws {
        let tool = try Tool()
        let path = try library(tool)
        _ = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup")
        let before = try tool.state()
        let asked = try tool.run(["restore", path, "--forget", "all", "--write"], input: "n\n")
        #expect(asked.status == 64 && asked.errors.contains("--yes"), "\(asked.errors)")
        let empty = try tool.run("restore", path, "--forget", "", "--write", "--yes")
        #expect(empty.status == 2, "\(empty.errors)")
        #expect(try tool.state() == before)
        #expect(try tool.run("restore", path, "--forget", "all", "--write", "--yes", "--no-backup").status == 0)
        #expect(try tool.run("restore", path).output == "No delete can be taken back.\n")
    }

    @Test("Numbers at the ends of their range do not stop the program")
    func extremes() throws {
        let tool = try Tool()
        let path = try library(tool)
        try execute(tool, "UPDATE ZSHELF SET ZRANK = -9223372036854775808 WHERE Z_PK = 1")
        let rows = try tool.run("rows", path, "Shelf")
        #expect(rows.status == 0 && rows.output.contains("-9,223,372,036,854,775,808"), "\(rows.errors)")
        #expect(try tool.run("history", path, "--limit", "-1").status == 64)
        #expect(try tool.run("history", path, "--limit", "9223372036854775807").status == 0)
        #expect(try tool.run("show", path, "Shelf/p1", "--limit", "-1").status == 64)
    }

    @Test("Names of a file do not steer the terminal")
    func escapes() throws {
        let tool = try Tool()
        let path = try library(tool)
        let columns = try tool.run("sql", path, "SELECT 1 AS \"a\u{1B}[31mb\"")
        #expect(columns.status == 0 && !columns.output.contains("\u{1B}") && columns.output.contains("a·[31mb"))
        try execute(tool, "CREATE TABLE \"x\" (y)", "INSERT INTO x VALUES (1)")
        let failed = try tool.run("sql", path, "SELECT \"\u{1B}]0;no\u{7}\".y FROM x")
        #expect(failed.status == 2 && !failed.errors.contains("\u{1B}"), "\(failed.errors)")
    }

    @Test("For programs, an object has all of its members, or tells how many there are")
    func members() throws {
        let tool = try Tool()
        let path = try library(tool)
        try execute(tool, "UPDATE ZBOOK SET ZSHELF = 1")
        let all = try tool.run("show", path, "Shelf/p1", "--format", "json").fields()
        #expect((all["books"] as? [Any])?.count == 12 && all["$counts"] == nil)
        let some = try tool.run("show", path, "Shelf/p1", "--format", "json", "--limit", "3").fields()
        #expect((some["books"] as? [Any])?.count == 3)
        #expect((some["$counts"] as? [String: Any])?["books"] as? Int == 12)
        #expect(try tool.run("show", path, "Shelf/p1", "--format", "csv").output.contains("books,Book/p1;"))
        #expect(try tool.run("show", path, "Shelf/p1").output.contains("… and 7 more"))
    }

    @Test("ndjson has an object in each line")
    func lines() throws {
        let tool = try Tool()
        let path = try library(tool)
        try execute(
            tool, "UPDATE ZBOOK SET ZSHELF = 99 WHERE Z_PK = 3",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Label'")
        for command in ["check", "lint"] {
            let result = try tool.run(command, path, "--format", "ndjson")
            for line in result.lines.dropLast() { #expect(line.hasPrefix("{") && line.hasSuffix("}"), "\(line)") }
            if command == "check" { #expect(result.lines.count == 3, "\(result.output)") }
        }
    }

    @Test("Differences of models keep their sign in every format")
    func modelDifferences() throws {
        let tool = try Tool()
        let path = try library(tool)
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("name", .string)]
        do { _ = try SQLiteStore(model: try Model([shelf]), location: .file(tool.url("b.store"))) }
        let json = try tool.run("diff", path, tool.path("b.store"), "--schema-only", "--format", "json").list()
        #expect(json.contains { $0["change"] as? String == "removed" && $0["schema"] as? String == "entity Label" })
        let csv = try tool.run("diff", path, tool.path("b.store"), "--schema-only", "--format", "csv")
        #expect(csv.lines.first == "change,object,property,old,new")
        #expect(csv.lines.contains("removed,schema,entity Label,,"), "\(csv.output)")
    }

    @Test("An export is there whole or not at all")
    func exports() throws {
        let tool = try Tool()
        let path = try library(tool)
        #expect(try tool.run("export", path, "--format", "csv", "-o", tool.path("out")).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.path("out")).count == 5)
        let again = try tool.run("export", path, "--format", "csv", "-o", tool.path("out"))
        #expect(again.status == 2, "\(again.errors)")
        // A table that is not there fails in the middle.
        try execute(tool, "DROP TABLE ZREADER")
        for (format, name) in [("csv", "half"), ("ndjson", "half.ndjson")] {
            let failed = try tool.run("export", path, "--format", format, "-o", tool.path(name))
            #expect(failed.status == 2, "\(failed.output)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        #expect(!names.contains { $0.contains("half") || $0.contains("partial") }, "\(names)")
    }

    @Test("Enums are asked for by their raw values, and parts of composites are columns")
    func composites() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        let path = tool.path("a.store")
        for predicate in [
            "mood == 'happy'", "mood.mood == 'happy'", "mood IN {'happy', 'sad'}", "mood BEGINSWITH 'ha'",
        ] {
            #expect(try tool.run("count", path, "Book", "--where", predicate).output == "4\n", "\(predicate)")
        }
        #expect(try tool.run("count", path, "Book", "--where", "mood == nil").output == "8\n")
        #expect(try tool.run("count", path, "Shelf", "--where", "ANY books.mood == 'happy'").output == "1\n")
        let rows = try tool.run(
            "rows", path, "Book", "--where", "size.width != nil", "--columns", "size.height,size,mood.mood",
            "--format", "csv")
        #expect(rows.lines.first == "$id,size.height,size,mood.mood")
        #expect(rows.lines.dropFirst().first == #"Book/p5,2.25,"{""width"":1.5,""height"":2.25}","#)
        let unknown = try tool.run("rows", path, "Book", "--columns", "size.depth")
        #expect(unknown.status == 2 && unknown.errors.contains("no property 'size.depth'"), "\(unknown.errors)")
    }
}
