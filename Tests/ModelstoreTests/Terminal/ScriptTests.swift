import Foundation
import Testing

@testable import SQLiteStore

/// Features for scripts and for fast typing.
@Suite("Use from scripts", .enabled(if: Tool.exists))
struct ScriptTests {
    @Test("An unknown command is answered with the most similar one")
    func misspelled() throws {
        let tool = try Tool()
        let result = try tool.run("inof", "a.store")
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("There is no command 'inof'. Did you mean 'info'?"), "\(result.errors)")
        #expect(try tool.run("help", "rows").status == 0)
    }

    @Test("CSV of one entity is written to standard output, of several to a folder")
    func csv() throws {
        let tool = try Tool()
        let path = try tool.library()
        let labels = try tool.run("export", path, "--entity", "Label", "--format", "csv")
        #expect(labels.status == 0 && labels.output.hasPrefix("$id,text,books\r\nLabel/p1,"), "\(labels.errors)")
        let books = try tool.run("export", path, "--entity", "Book", "--format", "csv")
        #expect(books.status == 2 && books.errors.contains("Atlas"), "\(books.errors)")
        #expect(try tool.run("export", path, "--format", "csv").status == 64)
    }

    @Test("Counts of entities with subentities have a total, which equals the count of one entity")
    func totals() throws {
        let tool = try Tool()
        let path = try tool.library()
        let table = try tool.run("count", path)
        #expect(table.output.contains("Total") && table.output.contains("└ Atlas"), "\(table.output)")
        let counts = try tool.run("count", path, "--format", "json").list()
        let book = try #require(counts.first { $0["entity"] as? String == "Book" })
        #expect(book["rows"] as? Int == 9 && book["total"] as? Int == 12)
        #expect(try tool.run("count", path, "Book").output == "12\n")
    }

    @Test("Objects that refuse a restore are named briefly")
    func shortNames() throws {
        let tool = try Tool()
        let path = try tool.library()
        let deleted = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup", "--format", "json")
            .fields()
        let token = try #require(deleted["token"] as? String)
        do {
            let connection = try Connection(.file(URL(fileURLWithPath: path)), access: .readWrite)
            try connection.execute("INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 3, 1, 'again')")
        }
        let refused = try tool.run("restore", path, token, "--write", "--yes", "--no-backup")
        #expect(refused.status != 0 && refused.errors.contains("(Label/p1)"), "\(refused.errors)")
        #expect(!refused.errors.contains("x-coredata"), "\(refused.errors)")
    }
}
