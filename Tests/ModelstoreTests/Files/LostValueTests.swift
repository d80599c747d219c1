import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Unreadable values, in a file made by the tests: books with a cover in a file of its own and a page count.
@Suite("Unreadable values", .enabled(if: Tool.exists))
struct LostValueTests {
    private static func model() throws -> Model {
        var cover = Attribute("cover", .binary, optional: true)
        cover.allowsExternalStorage = true
        var book = EntityDescription("Book")
        book.attributes = [Attribute("title", .string), cover, Attribute("pages", .integer64, optional: true)]
        book.relationships = [Relationship("shelf", to: "Shelf", .toOne, inverse: "books")]
        var shelf = EntityDescription("Shelf")
        shelf.attributes = [Attribute("name", .string)]
        shelf.relationships = [Relationship("books", to: "Book", .toMany, inverse: "shelf", deleteRule: .cascade)]
        return try Model([book, shelf])
    }

    /// Three books on one shelf. The file of the second one's cover is missing, and the third one has a word as its page count.
    private func damaged(_ tool: Tool) throws -> String {
        let url = tool.url("lost.store")
        let model = try Self.model()
        let (book, shelf) = (try #require(model.entity(named: "Book")), try #require(model.entity(named: "Shelf")))
        do {
            let store = try SQLiteStore(model: model, location: .file(url))
            var changes = ChangeSet()
            let owner = ObjectID.temporary(entityName: "Shelf")
            changes.insertions = [ChangeSet.Insertion(id: owner, entityIndex: shelf.index, values: [.text("all")])]
            for title in ["one", "two", "three"] {
                let bytes = Data(repeating: UInt8(title.utf8.count), count: title == "one" ? 10 : 300_000)
                changes.insertions.append(
                    ChangeSet.Insertion(
                        id: ObjectID.temporary(entityName: "Book"), entityIndex: book.index,
                        values: [.text(title), .bytes(bytes), .integer(7), .reference(owner)]))
            }
            _ = try store.save(changes)
        }
        let connection = try Connection(.file(url), access: .readWrite)
        let cell = try connection.withStatement("SELECT ZCOVER FROM ZBOOK WHERE ZTITLE = 'two'") {
            try $0.step() ? $0.bytes(at: 0) : Data()
        }
        let data = ExternalData(storeURL: url)
        try #require(data.remove([try #require(ExternalData.fileName(in: cell))]).isEmpty)
        try connection.execute("UPDATE ZBOOK SET ZPAGES = 'many' WHERE ZTITLE = 'three'")
        return url.path
    }

    @Test("A list marks them in their place, reports them in one line, and ends with 1")
    func list() throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let table = try tool.run("rows", path, "Book", "--columns", "title,cover,pages")
        #expect(table.status == 1)
        #expect(table.output.contains("⟨lost file⟩") && table.output.contains("⟨unreadable⟩"), "\(table.output)")
        #expect(["one", "two", "three"].allSatisfy(table.output.contains))
        #expect(
            table.errors.hasPrefix("2 values could not be read, and are marked: 1 in missing files"), "\(table.errors)")
        #expect(table.errors.split(separator: "\n").count == 1)
        let list = try tool.run("rows", path, "Book", "--format", "json")
        let rows = try list.list()
        #expect(list.status == 1 && rows.count == 3)
        let lost = try #require((rows[1]["cover"] as? [String: Any])?["$lost"] as? String)
        #expect(lost.hasPrefix("file ") && UUID(uuidString: String(lost.dropFirst(5))) != nil)
        #expect((rows[2]["pages"] as? [String: Any])?["$lost"] as? String == "value (stored as TEXT)")
        #expect(rows[2]["title"] as? String == "three" && rows[2]["cover"] is String)
    }

    @Test("Files are read only for requested columns, and only shown values are marked")
    func onlyAsked() throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let titles = try tool.run("rows", path, "Book", "--columns", "title", "--format", "csv")
        #expect(titles.status == 0 && titles.errors.isEmpty, "\(titles.errors)")
        #expect(titles.output.split(separator: "\n").count == 4)
        let shelf = try tool.run("show", path, "Shelf/p1")
        #expect(shelf.status == 0 && shelf.output.contains("two"), "\(shelf.errors)")
        let linked = try tool.run("rows", path, "Shelf", "--with", "books")
        #expect(linked.status == 0 && linked.output.contains("two"), "\(linked.errors)")
        #expect(try tool.run("rows", path, "Shelf", "--with", "books", "--format", "json").status == 1)
    }

    @Test("One object is shown with the mark")
    func show() throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let two = try tool.run("show", path, "Book/p2")
        #expect(
            two.status == 1 && two.output.contains("⟨lost file⟩") && two.errors.contains("1 value"), "\(two.errors)")
        #expect(try tool.run("show", path, "Book/p1").status == 0)
    }

    @Test("A comparison treats the same loss as no difference, and another as one")
    func diff() throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let same = try tool.run("diff", path, path)
        // Unreadable values were not compared, which is reported.
        #expect(same.status == 1 && same.output.contains("No differences"), "\(same.output)\(same.errors)")
        #expect(same.errors.hasPrefix("4 values could not be read"), "\(same.errors)")
        try FileManager.default.copyItem(atPath: path, toPath: tool.path("other.store"))
        do {
            let connection = try Connection(.file(tool.url("other.store")), access: .readWrite)
            try connection.execute("UPDATE ZBOOK SET ZPAGES = NULL WHERE ZTITLE = 'three'")
        }
        let other = try tool.run("diff", path, tool.path("other.store"))
        #expect(other.status == 1 && other.output.contains("⟨unreadable⟩ → nil"), "\(other.output)")
    }

    @Test("An export writes marks; an import refuses them, or leaves them out", arguments: ["json", "ndjson", "csv"])
    func transfer(format: String) throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let exported = try tool.run("export", path, "--format", format, "-o", tool.path("out"))
        #expect(exported.status == 1 && exported.errors.contains("2 values could not be read"), "\(exported.errors)")
        let refused = try tool.run("import", tool.path("new.store"), tool.path("out"), "--model-of", path, "--write")
        #expect(refused.status == 2 && refused.errors.contains("--leave-out-lost"), "\(refused.errors)")
        let done = try tool.run(
            "import", tool.path("new.store"), tool.path("out"), "--model-of", path, "--leave-out-lost", "--write")
        #expect(done.status == 0 && done.output.contains("Left out: 2 values"), "\(done.errors)")
        #expect(try tool.run("count", tool.path("new.store"), "Book", "--where", "cover == nil").output == "1\n")
        #expect(try tool.run("count", tool.path("new.store"), "Book", "--where", "pages == nil").output == "1\n")
    }

    @Test("A delete of rows with lost values is restored with the same cells")
    func restore() throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let cells = "SELECT Z_PK, ZTITLE, hex(ZCOVER), ZPAGES FROM ZBOOK WHERE ZTITLE <> 'one' ORDER BY 1"
        let before = try tool.run("sql", path, cells, "--format", "json").output
        let deleted = try tool.run("delete", path, "Shelf", "--write", "--yes", "--no-backup", "--format", "json")
            .fields()
        let token = try #require(deleted["token"] as? String)
        #expect(try tool.run("count", path, "Book").output == "0\n")
        let restored = try tool.run("restore", path, token, "--write", "--yes", "--no-backup")
        #expect(restored.status == 0, "\(restored.output)\(restored.errors)")
        #expect(try tool.run("sql", path, cells, "--format", "json").output == before)
    }

    @Test("A real store without its hidden folder is read", .realFiles)
    func realFile() throws {
        let tool = try Tool()
        let path = try RealFile("wire/store2-5.wiredatabase").copy(into: tool)
        let names = try tool.run("rows", path, "User", "--columns", "name", "--format", "csv")
        #expect(names.status == 0 && names.errors.isEmpty, "\(names.errors)")
        let all = try tool.run("rows", path, "User", "--format", "ndjson")
        #expect(all.status == 1 && all.output.contains(#"{"$lost":"file "#), "\(all.errors)")
        #expect(all.output.split(separator: "\n").count == names.output.split(separator: "\n").count - 1)
        let before = try tool.run("export", path, "--format", "ndjson").output
        let deleted = try tool.run("delete", path, "User", "--write", "--yes", "--no-backup", "--format", "json")
            .fields()
        let token = try #require(deleted["token"] as? String)
        let restored = try tool.run("restore", path, token, "--write", "--yes", "--no-backup")
        #expect(restored.status == 0, "\(restored.output)\(restored.errors)")
        #expect(try tool.run("export", path, "--format", "ndjson").output == before)
    }
}
