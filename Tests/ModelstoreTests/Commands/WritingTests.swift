import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Commands that change a file: only if requested, after a backup, and in a way that can be undone.
@Suite("Commands that write", .enabled(if: Tool.exists))
struct WritingTests {
    private func count(_ tool: Tool, _ path: String, _ entity: String, _ predicate: String? = nil) throws -> Int? {
        let arguments = ["count", path, entity] + (predicate.map { ["--where", $0] } ?? [])
        return Int(try tool.run(arguments).output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func backups(_ tool: Tool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { $0.contains("-backup-") }
    }

    private func rows(_ tool: Tool, _ path: String) throws -> String { try tool.run("export", path).output }

    @Test("Without --write nothing is written")
    func dryRuns() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        for arguments in [
            ["delete", path, "Shelf", "--yes"], ["erase", path, "Label", "--yes"], ["erase", path, "--everything"],
            ["compact", path], ["repair", path], ["restore", path, "--forget", "all"],
        ] {
            let result = try tool.run(arguments)
            #expect(result.status == 0 || arguments.contains("--everything"), "\(arguments): \(result.errors)")
            #expect(try tool.state() == before, "\(arguments)")
        }
    }

    @Test("A delete applies the rules, makes a backup, and can be restored")
    func deleteAndRestore() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        let deleted = try tool.run("delete", path, "Shelf", "--where", "name == 'Animals'", "--write", "--yes")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(deleted.output.contains("5 rows deleted."), "\(deleted.output)")
        #expect(try count(tool, path, "Shelf") == 2 && count(tool, path, "Book") == 8)
        let backup = try #require(try backups(tool).first)
        #expect(try rows(tool, tool.path(backup)) == before)
        let token = try #require(
            deleted.output.split(separator: " ").first { UUID(uuidString: String($0)) != nil }.map(String.init))
        let list = try tool.run("restore", path, "--format", "json").list()
        #expect(list.first?["token"] as? String == token && list.first?["rows"] as? Int == 5)
        let restored = try tool.run("restore", path, String(token.prefix(8)), "--write", "--no-backup")
        #expect(restored.status == 0 && restored.output.contains("5 rows restored"), "\(restored.errors)")
        #expect(try rows(tool, path) == before)
        #expect(try backups(tool).count == 1)
    }

    @Test("A delete in steps applies the rules, too, and is restored by one token")
    func steps() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        let deleted = try tool.run("delete", path, "Shelf", "--write", "--yes", "--no-backup", "--rows-at-once", "3")
        #expect(deleted.status == 0 && deleted.output.contains("15 rows deleted."), "\(deleted.errors)")
        #expect(try count(tool, path, "Book") == 0)
        let token = try #require(
            deleted.output.split(separator: " ").first { UUID(uuidString: String($0)) != nil }.map(String.init))
        let restored = try tool.run("restore", path, token, "--write", "--no-backup")
        #expect(restored.status == 0 && restored.output.contains("15 rows restored"), "\(restored.errors)")
        #expect(try rows(tool, path) == before)
        #expect(try tool.run("restore", path).output == "No delete can be restored.\n")
    }

    @Test("A question is asked; any answer but yes changes nothing; without input it is refused")
    func questions() throws {
        let tool = try Tool()
        let path = try tool.library()
        let result = try tool.run(["delete", path, "Label", "--write"], input: "y\n")
        #expect(result.status == 2, "\(result.errors)")
        #expect(result.errors == "modelstore: There is no terminal to ask on; give --yes to continue without asking.\n")
        #expect(try count(tool, path, "Label") == 3)
        #expect(try backups(tool).isEmpty)
    }

    @Test("A limit, and a refusing rule, stop a delete before anything happens")
    func refusals() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        let many = try tool.run("delete", path, "Shelf", "--write", "--yes", "--limit", "3")
        #expect(many.status == 2 && many.errors.contains("15 rows would be"), "\(many.errors)")
        let denied = try tool.run("delete", path, "Reader", "--write", "--yes")
        #expect(denied.status == 1 && denied.output.contains("Reader.books (deny)"), "\(denied.output)")
        #expect(try tool.run("plan", path, "Reader").status == 1)
        #expect(try tool.state() == before)
    }

    @Test("Erased values cannot be found in any file")
    func erase() throws {
        let tool = try Tool()
        let path = try tool.library()
        let secret = Data("Book 11".utf8)
        // A trace in the tables of archived deletes and in the history.
        _ = try tool.run("delete", path, "Book", "--where", "title == 'Book 7'", "--write", "--yes", "--no-backup")
        #expect(try Data(contentsOf: tool.url("a.store")).range(of: secret) != nil)
        let erased = try tool.run(
            "erase", path, "Book", "--where", "title IN {'Book 11', 'Book 10'}", "--write", "--yes")
        #expect(erased.status == 0, "\(erased.errors)")
        for name in try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
        where name.hasPrefix("a.store") {
            let bytes = try Data(contentsOf: tool.url(name))
            for text in ["Book 11", "Book 10", "Book 7"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(name)")
            }
        }
        #expect(try backups(tool).isEmpty && !erased.output.contains("still has it all"))
        #expect(try count(tool, path, "Book") == 9)
        #expect(try tool.run("check", path).status == 0)
        _ = try tool.run("delete", path, "Book", "--where", "title == 'Book 9'", "--write", "--yes")
        let backup = try #require(try backups(tool).first)
        let everything = try tool.run("erase", path, "--everything", "--write", "--yes")
        #expect(everything.status == 0, "\(everything.errors)")
        #expect(everything.output.contains("still has it all, as a backup of before: \(backup)"))
        #expect(try tool.run("count", path, "--format", "json").list().allSatisfy { $0["rows"] as? Int == 0 })
    }

    @Test("Backups are made beside the store, whatever the folder of temporary files")
    func backupFolder() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try rows(tool, path)
        let deleted = try tool.start(
            ["delete", path, "Label", "--write", "--yes"], through: ["/usr/bin/env", "TMPDIR=\(tool.path("none"))"]
        ).wait()
        #expect(deleted.status == 0, "\(deleted.errors)")
        let backup = try #require(try backups(tool).first)
        #expect(try rows(tool, tool.path(backup)) == before)
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: tool.folder.path).contains { $0.contains("_BACKUP-") })
    }

    @Test("An erasure reports interrupted backups")
    func unfinishedBackups() throws {
        let tool = try Tool()
        let path = try tool.library()
        let name = ".a.store_BACKUP-\(UUID().uuidString)"
        try FileManager.default.createDirectory(at: tool.url(name), withIntermediateDirectories: false)
        let erased = try tool.run("erase", path, "Label", "--write", "--yes")
        #expect(erased.output.contains("never finished: \(name)"), "\(erased.output)\(erased.errors)")
        let fields = try tool.run("erase", path, "--traces", "--write", "--yes", "--format", "json").fields()
        #expect(fields["unfinishedBackups"] as? [String] == [name])
    }

    @Test("Damage that a rule can repair is repaired")
    func repair() throws {
        let tool = try Tool()
        let path = try tool.library()
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            try connection.execute("UPDATE ZBOOK SET ZSHELF = 99 WHERE Z_PK = 3")
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Label'")
        }
        let found = try tool.run("check", path, "--format", "json")
        #expect(found.status == 1)
        #expect(Set(try found.list().compactMap { $0["kind"] as? String }) == ["danglingKey", "lowCounter"])
        let repaired = try tool.run("repair", path, "--write", "--yes")
        #expect(
            repaired.status == 0 && repaired.output.contains("2 repairs done"), "\(repaired.output)\(repaired.errors)")
        #expect(try tool.run("check", path).status == 0)
    }

    @Test("Compacting returns free pages and keeps every row")
    func compact() throws {
        let tool = try Tool()
        let path = try tool.library()
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            try connection.execute("CREATE TABLE filler AS SELECT randomblob(200000) AS b")
            try connection.execute("DROP TABLE filler")
        }
        let before = try rows(tool, path)
        let size = try Data(contentsOf: tool.url("a.store")).count
        let result = try tool.run("compact", path, "--write")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try Data(contentsOf: tool.url("a.store")).count < size - 150_000)
        #expect(try rows(tool, path) == before)
    }

    @Test("Differences between a store and its backup are the changes made")
    func differences() throws {
        let tool = try Tool()
        let path = try tool.library()
        #expect(try tool.run("diff", path, path).status == 0)
        _ = try tool.run("delete", path, "Book", "--where", "title == 'Book 4'", "--write", "--yes")
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            try connection.execute("UPDATE ZLABEL SET ZTEXT = 'ancient' WHERE Z_PK = 1")
        }
        let backup = try #require(try backups(tool).first)
        let result = try tool.run("diff", tool.path(backup), path, "--format", "json")
        #expect(result.status == 1)
        let list = try result.list()
        #expect(list.contains { $0["change"] as? String == "removed" && $0["object"] as? String == "Atlas/p4" })
        let label = list.first { $0["object"] as? String == "Label/p1" }
        let text = ((label?["properties"] as? [String: Any])?["text"]) as? [String: Any]
        #expect(text?["old"] as? String == "old" && text?["new"] as? String == "ancient")
        #expect(list.count == 3, "\(result.output)")  // one label lost a book, too
        let by = try tool.run("diff", tool.path(backup), path, "--by", "title", "--entity", "Book", "--format", "json")
        // The label's name is not among the given ones: it is named by its text, which changed.
        #expect(by.status == 1 && by.output.contains("ancient"), "\(by.output)")
        #expect(try by.list().allSatisfy { ($0["properties"] as? [String: Any])?.keys.map { $0 } == ["labels"] })
    }

    @Test("Stores with different keys are compared by names, links included")
    func differencesByName() throws {
        let tool = try Tool()
        let path = try tool.library()
        // The same rows under other keys.
        _ = try tool.run("export", path, "--format", "ndjson", "-o", tool.path("all.ndjson"))
        let lines = try String(contentsOf: tool.url("all.ndjson"), encoding: .utf8).split(separator: "\n")
        try Data(lines.reversed().joined(separator: "\n").utf8).write(to: tool.url("turned.ndjson"))
        let made = try tool.run(
            "import", tool.path("b.store"), tool.path("turned.ndjson"), "--model-of", path, "--write")
        #expect(made.status == 0, "\(made.errors)")
        let names = ["--by", "name", "--by", "title", "--by", "Label.text"]
        let same = try tool.run(["diff", path, tool.path("b.store")] + names)
        #expect(same.status == 0, "\(same.output)\(same.errors)")
        #expect(try tool.run(["diff", path, tool.path("b.store")]).status == 1)
        // Books have no name here, and are identified by their values and links.
        let shelves = ["diff", path, tool.path("b.store"), "--by", "name"]
        #expect(try tool.run(shelves).status == 0)
        do {
            let connection = try Connection(.file(tool.url("b.store")), access: .readWrite)
            try connection.execute(
                """
                UPDATE ZBOOK SET ZSHELF = (SELECT Z_PK FROM ZSHELF WHERE ZNAME = 'Poems') WHERE ZTITLE = 'Book 3'
                """)
        }
        let moved = try tool.run(["diff", path, tool.path("b.store"), "--format", "json"] + names)
        let found = try moved.list()
        let shelf = (found.first?["properties"] as? [String: Any])?["shelf"] as? [String: Any]
        #expect(found.count == 1 && shelf?["old"] as? String == "Animals", "\(moved.output)")
        #expect(shelf?["new"] as? String == "Poems")
        let unknown = try tool.run("diff", path, tool.path("b.store"), "--by", "nothing")
        #expect(unknown.status == 2 && unknown.errors.contains("No entity has an attribute 'nothing'"))
        let partly = try tool.run("diff", path, tool.path("b.store"), "--by", "name")
        #expect(partly.errors.contains("Nothing identifies rows of Book, Atlas, Label but"), "\(partly.errors)")
        #expect(partly.lines.contains { $0.contains("books: 4 → 3 -(") && $0.contains("title: Book 3") })
        #expect(partly.lines.contains { $0.contains("books: 4 → 5 +(") && $0.contains("title: Book 3") })
        #expect(partly.lines.contains("Shelf  +0 ~2 -0"), "\(partly.output)")
        // The book itself differs from the former one, as nothing names it.
        #expect(partly.lines.contains { $0.hasPrefix("  + ") && $0.contains("Book 3") }, "\(partly.output)")
        #expect(partly.lines.contains { $0.hasPrefix("  - ") && $0.contains("Book 3") }, "\(partly.output)")
        #expect(partly.lines.filter { $0.hasPrefix("  + ") || $0.hasPrefix("  - ") }.count == 2, "\(partly.output)")
    }

    @Test("Rows without a name or a link to them are compared by their values")
    func differencesWithoutNames() throws {
        let tool = try Tool()
        let path = try tool.library()
        try FileManager.default.copyItem(at: tool.url("a.store"), to: tool.url("b.store"))
        do {
            let connection = try Connection(.file(tool.url("b.store")), access: .readWrite)
            try connection.execute(
                "INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT 90, Z_ENT, 1, ZTEXT FROM ZLABEL WHERE Z_PK = 1")
            try connection.execute("UPDATE ZLABEL SET ZTEXT = 'other' WHERE Z_PK = 2")
        }
        let command = ["diff", path, tool.path("b.store"), "--by", "title", "--entity", "Label"]
        let found = try tool.run(command + ["--format", "json"]).list()
        let differences = found.map { "\($0["change"] as? String ?? "") \($0["object"] as? String ?? "")" }
        #expect(differences.sorted() == ["added Label/p2", "added Label/p90", "removed Label/p2"], "\(differences)")
    }

    @Test("JSON contains the changes as fields")
    func reports() throws {
        let tool = try Tool()
        let path = try tool.library()
        let planned = try tool.run("delete", path, "Label", "--format", "json").fields()
        #expect(planned["deleted"] as? Int == 3 && planned["possible"] as? Bool == true)
        let deleted = try tool.run("delete", path, "Label", "--write", "--yes", "--format", "json").fields()
        #expect(deleted["deleted"] as? Int == 3)
        let token = try #require(deleted["token"] as? String)
        let backup = try #require(deleted["backup"] as? String)
        #expect(FileManager.default.fileExists(atPath: backup))
        let looked = try tool.run("restore", path, token, "--format", "json").fields()
        #expect(looked["rows"] as? Int == 3 && (looked["conflicts"] as? [Any])?.isEmpty == true)
        let restored = try tool.run("restore", path, token, "--write", "--no-backup", "--format", "csv")
        #expect(restored.lines.first == "restored,linkedAgain,leftOut,backup", "\(restored.output)")
        let compacted = try tool.run("compact", path, "--write", "--no-backup", "--format", "ndjson").fields()
        #expect(compacted["logEmpty"] as? Bool == true)
        let repaired = try tool.run("repair", path, "--format", "json").fields()
        #expect((repaired["repairs"] as? [Any])?.isEmpty == true && repaired["done"] as? Bool == false)
        let erased = try tool.run("erase", path, "Label", "--write", "--yes", "--format", "json").fields()
        #expect(erased["deleted"] as? Int == 3)
        let denied = try tool.run("delete", path, "Reader", "--write", "--yes", "--format", "json")
        #expect(denied.status == 1)
        #expect(try denied.fields()["possible"] as? Bool == false)
    }

    @Test("Rows of JSON and CSV are imported with their links, or not at all")
    func importing() throws {
        let tool = try Tool()
        let path = try tool.library()
        let good = """
            {"$entity":"Shelf","$id":"s","name":"New","books":["b"]}
            {"$entity":"Book","$id":"b","title":"Imported","pages":5,"isLent":false,"printed":"2024-02-29T12:30:00.25Z","labels":["l"]}
            {"$entity":"Label","$id":"l","text":"fresh"}
            """
        try Data(good.utf8).write(to: tool.url("good.ndjson"))
        let result = try tool.run("import", path, tool.path("good.ndjson"), "--write", "--yes")
        #expect(result.status == 0 && result.output.contains("3 rows imported"), "\(result.errors)")
        #expect(try count(tool, path, "Book", "shelf.name == 'New' AND ANY labels.text == 'fresh'") == 1)
        let book = try tool.run("rows", path, "Book", "--where", "title == 'Imported'", "--format", "json").list().first
        #expect(book?["printed"] as? String == "2024-02-29T12:30:00.250Z")
        let before = try rows(tool, path)
        for (bad, text) in [
            ("{\"$entity\":\"Book\",\"title\":\"x\",\"pages\":\"many\",\"isLent\":true}", "'Book.pages'"),
            ("{\"$entity\":\"Book\",\"pages\":1,\"isLent\":true}", "must have a value"),
            (
                "{\"$entity\":\"Book\",\"title\":\"x\",\"pages\":1,\"isLent\":true,\"shelf\":\"Shelf/p1\"}",
                "not among what is imported"
            ),
            ("{\"$entity\":\"Nothing\"}", "no entity 'Nothing'"), ("{", "JSON"),
        ] {
            try Data(bad.utf8).write(to: tool.url("bad.json"))
            let refused = try tool.run("import", path, tool.path("bad.json"), "--write", "--yes", "--no-backup")
            #expect(refused.status == 2 && refused.errors.contains(text), "\(bad): \(refused.errors)")
        }
        #expect(try rows(tool, path) == before)
    }

    @Test("Following the history shows saves of others")
    func follow() throws {
        let tool = try Tool()
        let path = try tool.library()
        let running = try tool.start(["history", path, "-f", "--format", "ndjson"])
        defer { running.process.terminate() }
        let deadline = Date().addingTimeInterval(20)
        func wait(_ text: String) -> Bool {
            while Date() < deadline {
                if running.outputSoFar.contains(text) { return true }
                RunLoop.current.run(until: Date().addingTimeInterval(0.05))
            }
            return false
        }
        #expect(wait("Shelf/p1"))
        let deleted = try tool.run(
            "delete", path, "Label", "--where", "text == 'old'", "--write", "--yes", "--no-backup", "--in-use")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(wait("\"kind\":\"delete\",\"object\":\"Label/p1\""))
        running.process.interrupt()
        #expect(try running.wait().status == 130)
    }

    @Test("A delete that would leave survivors with too few members is reported, and refused")
    func minimumCounts() throws {
        let tool = try Tool()
        var club = EntityDescription("Club")
        var members = Relationship("members", to: "Member", .toMany, inverse: "clubs")
        members.minimumCount = 2
        club.relationships = [members]
        var member = EntityDescription("Member")
        member.attributes = [Attribute("name", .string)]
        member.relationships = [Relationship("clubs", to: "Club", .toMany, inverse: "members")]
        _ = try SQLiteStore(model: Model([club, member]), location: .file(tool.url("clubs.store")))
        let path = tool.path("clubs.store")
        let lines = ["a", "b", "c"].map { #"{"$entity":"Member","$id":"\#($0)","name":"\#($0)"}"# }
        let clubs = #"{"$entity":"Club","$id":"club","members":["a","b","c"]}"#
        try Data((lines + [clubs]).joined(separator: "\n").utf8).write(to: tool.url("clubs.ndjson"))
        #expect(try tool.run("import", path, tool.path("clubs.ndjson"), "--write", "--yes", "--no-backup").status == 0)
        let before = try tool.state()
        for (command, options) in [("plan", []), ("delete", ["--write", "--yes"]), ("erase", ["--write", "--yes"])] {
            let found = try tool.run([command, path, "Member", "--where", "name != 'a'"] + options)
            #expect(found.status == 1, "\(command): \(found.errors)")
            #expect(found.output.contains("Club.members needs at least 2 in 1 object"), "\(found.output)")
        }
        #expect(try tool.state() == before)
        let one = try tool.run("delete", path, "Member", "--where", "name == 'a'", "--write", "--yes")
        #expect(one.status == 0 && one.output.contains("1 row deleted."), "\(one.errors)")
    }
}
