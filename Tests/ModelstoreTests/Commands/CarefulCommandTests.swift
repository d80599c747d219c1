import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Commands that could do harm by mistake, or show incomplete results.
@Suite("Careful commands", .enabled(if: Tool.exists))
struct CarefulCommandTests {
    @Test("Source and diagrams do not overwrite an existing file")
    func schemaOutput() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        let refused = try tool.run("schema", path, "--as", "swift", "-o", path)
        #expect(refused.status == 2 && refused.errors.contains("a.store"), "\(refused.errors)")
        #expect(try tool.run("schema", path, "-o", tool.path("list.txt")).status == 64)
        #expect(try tool.state() == before)
        #expect(try tool.run("schema", path, "--as", "swift", "-o", tool.path("new.swift")).status == 0)
        #expect(try String(contentsOf: tool.url("new.swift"), encoding: .utf8).contains("@Model"))
    }

    @Test("An erasure that fails part way reports its state and how to finish it")
    func unfinishedErasure() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute(
            "CREATE TRIGGER keep BEFORE DELETE ON ATRANSACTION BEGIN SELECT RAISE(ABORT, 'no'); END")
        let result = try tool.run(
            "erase", path, "Book", "--where", "title == 'Book 11'", "--write", "--yes", "--run-triggers")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors.contains("1 row had gone already"), "\(result.errors)")
        #expect(result.errors.contains("--traces --write"), "\(result.errors)")
        try tool.execute("DROP TRIGGER keep")
        let finished = try tool.run("erase", path, "--traces", "--write", "--yes")
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(try Data(contentsOf: tool.url("a.store")).range(of: Data("Book 11".utf8)) == nil)
    }

    @Test("Discarding archived deletes asks before the file is copied or opened for writing")
    func forgetting() throws {
        let tool = try Tool()
        let path = try tool.library()
        _ = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup")
        let before = try tool.state()
        let asked = try tool.run(["restore", path, "--forget", "all", "--write"], input: "n\n")
        #expect(asked.status == 2 && asked.errors.contains("--yes"), "\(asked.errors)")
        let empty = try tool.run("restore", path, "--forget", "", "--write", "--yes")
        #expect(empty.status == 2, "\(empty.errors)")
        #expect(try tool.state() == before)
        #expect(try tool.run("restore", path, "--forget", "all", "--write", "--yes", "--no-backup").status == 0)
        #expect(try tool.run("restore", path).output == "No delete can be restored.\n")
    }

    @Test("Conflicts of a restore show in the exit code, whether it is executed or not")
    func restoreInTheWay() throws {
        let tool = try Tool()
        let path = try tool.library()
        _ = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup")
        let listed = try JSONSerialization.jsonObject(
            with: Data(tool.run("restore", path, "--format", "json").output.utf8))
        let token = try #require((listed as? [[String: Any]])?.first?["token"] as? String)
        #expect(try tool.run("restore", path, token).status == 0)
        try tool.execute(
            "INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT 1, Z_ENT, 1, 'x' FROM Z_PRIMARYKEY WHERE Z_NAME = 'Label'"
        )
        let shown = try tool.run("restore", path, token)
        #expect(shown.status == 1 && shown.output.contains("is in use again"), "\(shown.output)\(shown.errors)")
        #expect(try tool.run("restore", path, token, "--write", "--yes", "--no-backup").status == 2)
    }

    @Test("A predicate may begin with a minus sign")
    func signedPredicate() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(try tool.run("count", path, "Book", "--where", "-1 < pages").output == "12\n")
        #expect(try tool.run("count", path, "Book", "-w", "-1 > pages").output == "0\n")
    }

    @Test("Numbers at the limits of their range do not trap")
    func extremes() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute("UPDATE ZSHELF SET ZRANK = -9223372036854775808 WHERE Z_PK = 1")
        let rows = try tool.run("rows", path, "Shelf")
        #expect(rows.status == 0 && rows.output.contains("-9223372036854775808"), "\(rows.errors)")
        #expect(try tool.run("history", path, "--limit", "-1").status == 64)
        #expect(try tool.run("history", path, "--limit", "9223372036854775807").status == 0)
        #expect(try tool.run("show", path, "Shelf/p1", "--limit", "-1").status == 64)
    }

    @Test("Escape sequences in names of a file are not written to the terminal")
    func escapes() throws {
        let tool = try Tool()
        let path = try tool.library()
        let columns = try tool.run("sql", path, "SELECT 1 AS \"a\u{1B}[31mb\"")
        #expect(columns.status == 0 && !columns.output.contains("\u{1B}") && columns.output.contains("a·[31mb"))
        try tool.execute("CREATE TABLE \"x\" (y)", "INSERT INTO x VALUES (1)")
        let failed = try tool.run("sql", path, "SELECT \"\u{1B}]0;no\u{7}\".y FROM x")
        #expect(failed.status == 2 && !failed.errors.contains("\u{1B}"), "\(failed.errors)")
    }

    @Test("JSON of an object has all of its members, or their count")
    func members() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute("UPDATE ZBOOK SET ZSHELF = 1")
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
        let path = try tool.library()
        try tool.execute(
            "UPDATE ZBOOK SET ZSHELF = 99 WHERE Z_PK = 3",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Label'")
        for command in ["check", "lint"] {
            let result = try tool.run(command, path, "--format", "ndjson")
            for line in result.lines.dropLast() { #expect(line.hasPrefix("{") && line.hasSuffix("}"), "\(line)") }
            if command == "check" { #expect(result.lines.count == 3, "\(result.output)") }
        }
    }

    @Test("Differences of models have their sign in every format")
    func modelDifferences() throws {
        let tool = try Tool()
        let path = try tool.library()
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("name", .string)]
        do { _ = try SQLiteStore(model: try Model([shelf]), location: .file(tool.url("b.store"))) }
        let json = try tool.run("diff", path, tool.path("b.store"), "--schema-only", "--format", "json").list()
        #expect(json.contains { $0["change"] as? String == "removed" && $0["schema"] as? String == "entity Label" })
        let csv = try tool.run("diff", path, tool.path("b.store"), "--schema-only", "--format", "csv")
        #expect(csv.lines.first == "change,object,property,old,new")
        #expect(csv.lines.contains("removed,schema,entity Label,,"), "\(csv.output)")
    }

    @Test("An export is written completely or not at all")
    func exports() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(try tool.run("export", path, "--format", "csv", "-o", tool.path("out")).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.path("out")).count == 5)
        let again = try tool.run("export", path, "--format", "csv", "-o", tool.path("out"))
        #expect(again.status == 2, "\(again.errors)")
        // A missing table makes it fail in the middle.
        try tool.execute("DROP TABLE ZREADER")
        for (format, name) in [("csv", "half"), ("ndjson", "half.ndjson")] {
            let failed = try tool.run("export", path, "--format", format, "-o", tool.path(name))
            #expect(failed.status == 2, "\(failed.output)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        #expect(!names.contains { $0.contains("half") || $0.contains("partial") }, "\(names)")
    }

    @Test("Enums are compared by their raw values, and elements of composites are columns")
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

    @Test("A row is found by its own entity and its superentities, and by no other of its table")
    func ownEntity() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(try tool.run("show", path, "Atlas/p4").status == 0)
        #expect(try tool.run("show", path, "Book/p4").output.contains("Atlas/p4"))
        let other = try tool.run("show", path, "Atlas/p1")
        #expect(other.status == 2 && other.errors.contains("no object Atlas/p1"), "\(other.output)\(other.errors)")
    }

    @Test("An order is parsed completely, or refused")
    func orders() throws {
        let tool = try Tool()
        let path = try tool.library()
        func names(_ sort: String) throws -> [String] {
            let result = try tool.run("rows", path, "Shelf", "--sort=\(sort)", "--columns", "name", "--format", "csv")
            #expect(result.status == 0, "\(sort): \(result.errors)")
            return result.lines.dropFirst().compactMap { $0.split(separator: ",").last.map(String.init) }
        }
        for sort in ["name DESC", "-name", " name desc"] {
            #expect(try names(sort) == ["Poems", "Maps", "Animals"], "\(sort)")
        }
        for sort in ["name ASC", "+name", "name"] {
            #expect(try names(sort) == ["Animals", "Maps", "Poems"], "\(sort)")
        }
        for sort in ["name foo", "name desc desc", "-name desc", "name descending"] {
            let refused = try tool.run("rows", path, "Shelf", "--sort=\(sort)")
            #expect(refused.status == 2 && refused.errors.contains("order"), "\(sort): \(refused.errors)")
        }
    }

    @Test("An impossible change is reported before a question is asked, and leaves no backup")
    func impossible() throws {
        let tool = try Tool()
        let path = tool.path("a.store")
        let open = try Library.make(at: tool.url("a.store"))
        let inUse = try tool.run(["delete", path, "Label", "--write"], input: "y\n")
        #expect(inUse.status == 2 && inUse.errors.contains("Another process has"), "\(inUse.errors)")
        withExtendedLifetime(open) {}
        let other = try Tool()
        let closed = try other.library()
        let unknown = try other.run("restore", closed, UUID().uuidString, "--write")
        #expect(unknown.status == 2, "\(unknown.output)")
        let none = try other.run("restore", closed, "--forget", "all", "--write", "--yes")
        #expect(
            none.status == 0 && none.output == "No delete is kept; there is nothing to give up.\n", "\(none.errors)")
        for tool in [tool, other] {
            #expect(try tool.state().keys.filter { $0.contains("-backup-") }.isEmpty)
        }
    }

    @Test("A pipe is refused; a file with an incomplete header and stores of other types are reported as such")
    func noDatabases() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(mkfifo(tool.path("pipe"), 0o600) == 0)
        let pipe = try tool.run("info", tool.path("pipe"))
        #expect(pipe.status == 2 && pipe.errors.contains("is a pipe"), "\(pipe.errors)")
        try Data(contentsOf: URL(fileURLWithPath: path)).prefix(50).write(to: tool.url("cut.store"))
        let cut = try tool.run("info", tool.path("cut.store"))
        #expect(cut.status == 2 && cut.errors.contains("the first 50 bytes of a SQLite database"), "\(cut.errors)")
        let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n"
        try Data(text.utf8).write(to: tool.url("xml.store"))
        let xml = try tool.run("info", tool.path("xml.store"))
        #expect(xml.status == 2 && xml.errors.contains("a Core Data store of type XML"), "\(xml.errors)")
        // An archive whose metadata is that of a store: the layout around it is Apple's own.
        var archive = Data("something before bplist00".utf8)
        archive.append(Data(count: 40))
        archive.append(Data("NSStoreModelVersionHashes NSStoreType Binary".utf8))
        archive.append(Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }))
        try archive.write(to: tool.url("binary.store"))
        let binary = try tool.run("info", tool.path("binary.store"))
        #expect(binary.status == 2 && binary.errors.contains("a Core Data store of type binary"), "\(binary.errors)")
        try Data("bplist00 of something else".utf8).write(to: tool.url("list.plist"))
        let list = try tool.run("info", tool.path("list.plist"))
        #expect(list.status == 2 && list.errors.contains("is not a SQLite database"), "\(list.errors)")
    }

    @Test("Traces to be erased are listed before")
    func traces() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute("DELETE FROM ATRANSACTION", "DELETE FROM ACHANGE")
        let nothing = try tool.run("erase", path, "--traces")
        #expect(
            nothing.output == "Nothing is kept of earlier deletes; remains between rows would be overwritten.\n",
            "\(nothing.output)\(nothing.errors)")
        _ = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup")
        _ = try tool.run(
            "delete", path, "Book", "--where", "title == 'Book 7'", "--write", "--yes", "--no-backup", "--forever")
        let before = try tool.state()
        let listed = try tool.run("erase", path, "--traces")
        #expect(listed.lines.first == "Traces of earlier deletes", "\(listed.errors)")
        #expect(listed.lines.contains("  1 recoverable delete of 3 rows"), "\(listed.output)")
        #expect(listed.lines.contains("  2 transactions of the history"), "\(listed.output)")
        #expect(listed.lines.contains("  values of 1 deleted object in the history"), "\(listed.output)")
        #expect(listed.errors.contains("--write"))
        let fields = try tool.run("erase", path, "--traces", "--format", "json").fields()
        #expect(fields["recoverableDeletes"] as? Int == 1 && fields["transactions"] as? Int == 2)
        #expect(try tool.state() == before)
        let erased = try tool.run("erase", path, "--traces", "--write", "--yes", "--format", "json").fields()
        #expect(erased["givenUp"] as? Int == 1 && erased["forgottenTransactions"] as? Int == 2)
        let after = try tool.run("erase", path, "--traces")
        #expect(after.output.hasPrefix("Nothing is kept"), "\(after.output)")
    }

    @Test("Core Data classes are files in a folder, whatever its name ends in")
    func coreDataFolder() throws {
        let tool = try Tool()
        let path = try tool.library()
        for name in ["one", "two/"] {
            let written = try tool.run("schema", path, "--as", "coredata", "-o", tool.path(name))
            #expect(written.status == 0 && written.errors.contains("files written to the folder"), "\(written.errors)")
            let files = try FileManager.default.contentsOfDirectory(atPath: tool.path(name))
            #expect(files.count >= 5 && files.allSatisfy { $0.hasSuffix(".swift") }, "\(files)")
            let again = try tool.run("schema", path, "--as", "coredata", "-o", tool.path(name))
            #expect(again.status == 2 && again.errors.contains("There is something at"), "\(again.errors)")
        }
        let file = try tool.run("schema", path, "--as", "coredata", "-o", tool.path("Classes.swift"))
        #expect(file.status == 64 && file.errors.contains("several files: give a folder"), "\(file.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        #expect(names.allSatisfy { !$0.contains("Classes") && !$0.contains("partial") }, "\(names)")
    }

    @Test("An erasure leaves no transaction about itself, unless other processes have the file open")
    func erasedHistory() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(try tool.run("erase", path, "Label", "--write", "--yes").status == 0)
        let count = ["sql", path, "SELECT count(*) FROM ATRANSACTION", "--format", "csv"]
        #expect(try tool.run(count).output.hasSuffix("\n0\n"))
        let beside = try tool.run(
            "erase", path, "Reader", "--where", "books.@count == 0", "--write", "--yes", "--in-use")
        #expect(beside.status == 0, "\(beside.errors)")
    }

    @Test("Names with another meaning are reported as such")
    func otherNames() throws {
        let tool = try Tool()
        let path = try tool.library()
        let value = try tool.run("rows", path, "Book", "--with", "title")
        #expect(value.status == 2 && value.errors.contains("'Book.title' cannot be used here"), "\(value.errors)")
        let path2 = try tool.run("rows", path, "Book", "--columns", "shelf.name")
        #expect(path2.status == 2 && path2.errors.contains("--with shelf"), "\(path2.errors)")
        let ignored = try tool.run("lint", path, "--ignore", "nope")
        #expect(ignored.status == 64 && ignored.errors.contains("key-without-index"), "\(ignored.errors)")
        #expect(try tool.run("info", path).lines.first == path)
    }

    @Test("An SQL statement may begin with a comment; output does not overwrite the store's own files")
    func commentsAndParts() throws {
        let tool = try Tool()
        let path = try tool.library()
        for statement in [
            "-- how many\nSELECT count(*) AS n FROM ZBOOK", "--\nSELECT 12 AS n", "--all of them\nSELECT 12 n",
        ] {
            let found = try tool.run("sql", path, statement, "--format", "csv")
            #expect(found.status == 0 && found.output == "n\n12\n", "\(found.output)\(found.errors)")
        }
        #expect(try tool.run("sql", path, "--nothing").status == 64)
        let other = tool.path("link.store")
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
        let before = try tool.state()
        for part in ["-wal", "-shm", "-journal"] {
            for command in [["export", path], ["schema", path, "--as", "swift"], ["export", other]] {
                let found = try tool.run(command + ["-o", path + part])
                #expect(found.status == 64 && found.errors.contains("a part of the store"), "\(found.errors)")
            }
        }
        #expect(try tool.state() == before)
    }
}
