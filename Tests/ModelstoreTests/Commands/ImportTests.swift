import Foundation
import Testing

/// Previews of imports.
@Suite("Previews of imports", .enabled(if: Tool.exists))
struct ImportTests {
    private func source(_ tool: Tool, _ lines: String...) throws -> String {
        try Data(lines.joined(separator: "\n").utf8).write(to: tool.url("in.ndjson"))
        return tool.path("in.ndjson")
    }

    /// One replaces an existing shelf, one the one before it.
    private static let shelves = [
        #"{"$entity":"Shelf","$id":"a","name":"Maps","rank":7}"#,
        #"{"$entity":"Shelf","$id":"b","name":"New","rank":8}"#,
        #"{"$entity":"Shelf","$id":"c","name":"New","rank":9}"#,
    ]

    @Test("The number of replaced rows is shown in the preview, in the question and at the end")
    func replacements() throws {
        let tool = try Tool()
        let path = try tool.library()
        let input = try source(tool, Self.shelves[0], Self.shelves[1], Self.shelves[2])
        let before = try tool.state()
        let preview = try tool.run("import", path, input)
        #expect(
            preview.output == "To import: 3 Shelf, 2 of them in place of rows with the same unique values.\n",
            "\(preview.errors)")
        let fields = try tool.run("import", path, input, "--format", "json").fields()
        #expect(fields["Shelf"] as? Int == 3 && fields["$replaced"] as? Int == 2)
        #expect(try tool.state() == before)
        // In a new store rows can replace only each other.
        let anew = try tool.run("import", tool.path("b.store"), input, "--model-of", path)
        #expect(anew.output.contains("3 Shelf, 1 of them in place of"), "\(anew.output)\(anew.errors)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("b.store")))
        let done = try tool.run("import", path, input, "--write", "--yes")
        #expect(
            done.output.hasSuffix("3 rows imported, 2 of them in place of rows with the same unique values.\n"),
            "\(done.output)\(done.errors)")
        #expect(
            try tool.run("rows", path, "Shelf", "--where", "rank > 6", "--format", "csv", "--columns", "name,rank")
                .lines
                == ["$id,name,rank", "Shelf/p2,Maps,7", "Shelf/p5,New,9", ""])
        let plain = try tool.run("import", path, try source(tool, #"{"$entity":"Label","text":"x"}"#))
        #expect(plain.output == "To import: 1 Label.\n")
    }

    @Test("A new store is created completely or not at all, and replaces no other file")
    func newStores() throws {
        let tool = try Tool()
        let path = try tool.library()
        let input = try source(tool, Self.shelves[0])
        let names = {
            try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { $0 != "tmp" }.sorted()
        }
        let before = try names()
        let made = try tool.run("import", tool.path("b.store"), input, "--model-of", path, "--write")
        #expect(made.status == 0 && made.output.contains("1 row imported."), "\(made.errors)")
        #expect(try names() == (before + ["b.store"]).sorted())
        #expect(try tool.run("count", tool.path("b.store"), "Shelf").output == "1\n")
        try Data("left".utf8).write(to: tool.url("c.store-wal"))
        for name in ["b.store", "c.store"] {
            let refused = try tool.run("import", tool.path(name), input, "--model-of", path, "--write")
            #expect(refused.status == 2 && refused.errors.contains("There is something at"), "\(refused.errors)")
        }
        #expect(try Data(contentsOf: tool.url("c.store-wal")) == Data("left".utf8))
        let nowhere = try tool.run("import", tool.path("none/d.store"), input, "--model-of", path, "--write")
        #expect(nowhere.status == 2 && nowhere.errors.contains("check that it is there"), "\(nowhere.errors)")
        #expect(try names() == (before + ["b.store", "c.store-wal"]).sorted())
    }

    #if os(Linux)
    @Test("The question contains the number of replaced rows, and no is accepted")
    func question() throws {
        let tool = try Tool()
        let path = try tool.library()
        let input = try source(tool, Self.shelves[0])
        let before = try tool.state()
        let session = try TerminalSession(tool, "import", path, input, "--write")
        try session.read(until: "Import 1 row, 1 of them in place of rows with the same unique values? [y/N] ")
        session.type("n\n")
        #expect(session.finish().status == 0)
        #expect(try tool.state() == before)
    }
    #endif

    @Test("An export of one entity can be imported without its links to other entities")
    func outwardLinks() throws {
        let tool = try Tool()
        let path = try tool.library()
        let exported = try tool.run(
            "export", path, "--entity", "Book", "--format", "ndjson", "-o", tool.path("books.ndjson"))
        #expect(exported.status == 0, "\(exported.errors)")
        let input = tool.path("books.ndjson")
        let before = try tool.state()
        let refused = try tool.run("import", path, input, "--write", "--yes")
        #expect(refused.status == 2 && refused.errors.contains("--leave-out-links"), "\(refused.errors)")
        #expect(try tool.state() == before)
        // Twelve to shelves, two to readers, nine to labels.
        let preview = try tool.run("import", path, input, "--leave-out-links")
        #expect(
            preview.lines == [
                "To import: 3 Atlas, 9 Book.", "Left out: 23 links to objects that are not imported.", "",
            ], "\(preview.errors)")
        let done = try tool.run("import", path, input, "--leave-out-links", "--write", "--yes", "--format", "json")
            .fields()
        #expect(done["imported"] as? Int == 12 && done["linksLeftOut"] as? Int == 23 && done["replaced"] as? Int == 0)
        #expect(try tool.run("count", path, "Book", "--where", "shelf == nil AND labels.@count == 0").output == "12\n")
        // Existing rows keep their links.
        #expect(try tool.run("count", path, "Book", "--where", "shelf != nil").output == "12\n")
    }

    @Test("A mandatory link cannot be left out")
    func mandatoryLinks() throws {
        let tool = try Tool()
        let path = try tool.library()
        // A link to an object of another entity is not left out.
        let input = try source(
            tool, #"{"$entity":"Reader","$id":"r","name":"x"}"#,
            #"{"$entity":"Book","title":"x","pages":1,"isLent":true,"shelf":"r"}"#)
        let refused = try tool.run("import", path, input, "--leave-out-links", "--write", "--yes")
        #expect(refused.status == 2 && refused.errors.contains("which is no 'Shelf'"), "\(refused.errors)")
    }

    @Test("All rows that break the model's rules are listed at once, and imported anyway with --as-is")
    func violations() throws {
        let tool = try Tool()
        let path = try tool.library()
        let input = try source(
            tool, #"{"$entity":"Shelf","$id":"a"}"#, #"{"$entity":"Shelf","$id":"b"}"#, #"{"$entity":"Label"}"#)
        let refused = try tool.run("import", tool.path("new.store"), input, "--model-of", path, "--write")
        #expect(refused.status == 2)
        #expect(
            refused.errors == """
                modelstore: The rows break 2 rules of the model:
                  'Shelf.name' of line 1 and 1 more must have a value
                  'Label.text' of line 3 must have a value
                Give --as-is to import rows that break the model's rules as they are.

                """, "\(refused.errors)")
        let one = try source(tool, #"{"$entity":"Label"}"#)
        let single = try tool.run("import", path, one)
        #expect(
            single.errors.hasPrefix("modelstore: 'Label.text' of line 1 must have a value; give --as-is"),
            "\(single.errors)")
        let again = try source(
            tool, #"{"$entity":"Shelf","$id":"a"}"#, #"{"$entity":"Shelf","$id":"b"}"#, #"{"$entity":"Label"}"#)
        let done = try tool.run("import", tool.path("new.store"), again, "--model-of", path, "--as-is", "--write")
        #expect(done.status == 0, "\(done.errors)")
        #expect(try tool.run("count", tool.path("new.store"), "Shelf", "--where", "name == nil").output == "2\n")
    }

    @Test("A new store keeps a history if the other one does, or if requested")
    func history() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("with.store"), history: .with)
        try Library.makeFile(at: tool.url("without.store"), history: .without)
        let input = try source(tool, #"{"$entity":"Label","text":"x"}"#)
        let tables =
            "SELECT count(*) FROM sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
        for (place, (model, options, count)) in [
            ("with.store", [], 3), ("without.store", [], 0), ("without.store", ["--history"], 3),
        ].enumerated() {
            let new = tool.path("new\(place).store")
            let made = try tool.run(["import", new, input, "--model-of", tool.path(model), "--write"] + options)
            #expect(made.status == 0, "\(made.errors)")
            #expect(
                try tool.run("sql", new, tables, "--format", "csv").output.hasSuffix("\n\(count)\n"),
                "\(model) \(options)")
        }
        let history = try tool.run("history", tool.path("new1.store"), "--format", "json")
        #expect(history.status == 0 && history.output == "[]\n", "\(history.output)")
        let text = try tool.run("history", tool.path("new1.store"))
        #expect(text.status == 0 && text.output.contains("keeps no history"), "\(text.output)")
    }
}
