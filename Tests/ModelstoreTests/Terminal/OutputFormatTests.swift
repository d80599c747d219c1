import Foundation
import Testing

@testable import SQLiteStore

/// Formats of values for people, and names for programs.
@Suite("Formats of output", .enabled(if: Tool.exists))
struct OutputFormatTests {
    @Test("Counts are grouped everywhere; values of a row are shown as they are")
    func numbers() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2099)
            INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Label'), 1, 'x' FROM n
            """)
        try tool.execute("UPDATE ZSHELF SET ZRANK = 20240 WHERE Z_PK = 1")
        try tool.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Label'")
        for arguments in [
            ["count", path], ["info", path], ["plan", path, "Label"], ["check", path],
            ["diff", path, tool.path("b.store")],
        ] {
            if arguments[0] == "diff" { try Library.makeFile(at: tool.url("b.store")) }
            let output = try tool.run(arguments).output
            #expect(output.contains("2,003") || output.contains("2,098") || output.contains("2,000"), "\(output)")
            #expect(!output.contains(/\b(2003|2098|2000)\b/), "\(output)")
        }
        for arguments in [
            ["rows", path, "Shelf"], ["show", path, "Shelf/p1"], ["sql", path, "SELECT ZRANK FROM ZSHELF"],
        ] {
            let output = try tool.run(arguments).output
            #expect(output.contains("20240") && !output.contains("20,240"), "\(output)")
        }
    }

    #if os(Linux)
    @Test("A table is written while its rows are read, however many there are")
    func endlessTable() throws {
        let tool = try Tool()
        let path = try tool.library()
        let session = try TerminalSession(
            tool, "sql", path, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        try session.read(until: "1234")
        session.type(TerminalSession.Key.interrupt)
        #expect(session.finish().status == 130)
    }
    #endif

    @Test("Without a terminal to limit a table, cells wider than the first ones are complete")
    func laterCells() throws {
        let tool = try Tool()
        let path = try tool.library()
        let wide = String(repeating: "w", count: 50)
        let result = try tool.run(
            "sql", path,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            SELECT CASE i WHEN 2999 THEN '\(wide)' ELSE 'x' END AS a, i AS b FROM n
            """)
        #expect(result.lines.count == 3_003 && result.lines.first == "a     b", "\(result.errors)")
        #expect(result.lines[3_000] == "\(wide)  2999" && result.lines[3_001] == "x  3000", "\(result.lines[3_000])")
    }

    @Test("Counts are fields of lower case in CSV and JSON")
    func countKeys() throws {
        let tool = try Tool()
        let path = try tool.library()
        // Scripts that read the first two columns get the name and the entity's own rows.
        let counts = try tool.run("count", path, "--format", "csv").lines
        #expect(counts.first == "entity,rows,total" && counts.contains("Book,9,12"), "\(counts)")
        #expect(try tool.run("count", path, "Book", "--format", "json").list().first?["rows"] as? Int == 12)
        #expect(try tool.run("info", path, "--format", "csv").lines.first == "entity,rows,attributes,relationships")
        #expect(try tool.run("count", path).lines.first?.hasPrefix("Entity") == true)
    }

    @Test("Columns of the same name are distinguished in JSON")
    func columnNames() throws {
        let tool = try Tool()
        let path = try tool.library()
        let statement = "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS b"
        let result = try tool.run("sql", path, statement, "--format", "ndjson")
        #expect(result.output == "{\"a\":1,\"a_3\":2,\"a_2\":3,\"a_4\":4,\"b\":5}\n")
        #expect(try tool.run("sql", path, statement, "--format", "csv").lines.first == "a,a,a_2,a,b")
    }

    @Test("Related objects of --with are shown by address and name in a table, by address in CSV")
    func labels() throws {
        let tool = try Tool()
        let path = try tool.library()
        let arguments = ["rows", path, "Book", "--where", "title == 'Book 1'", "--with", "labels", "--with", "shelf"]
        let table = try tool.run(arguments + ["--columns", "title"]).output
        #expect(table.contains("Label/p1 old, Label/p2 new; \"quoted\", Label/p3 line"), "\(table)")
        #expect(table.contains("Shelf/p2 Maps"), "\(table)")
        let plain = try tool.run("rows", path, "Book", "--where", "title == 'Book 1'", "--columns", "shelf,labels")
            .output
        #expect(plain.contains("Shelf/p2  Label/p1, Label/p2, Label/p3"), "\(plain)")
        let csv = try tool.run(arguments + ["--columns", "title", "--format", "csv"])
        #expect(csv.lines.dropFirst().first == "Book/p1,Book 1,Label/p1;Label/p2;Label/p3,Shelf/p2", "\(csv.output)")
        // A book that is an atlas is shown as such.
        let shelf = try tool.run("rows", path, "Shelf", "--where", "name == 'Animals'", "--with", "books").output
        #expect(shelf.contains("Book/p3 Book 3"), "\(shelf)")
        #expect(try tool.run("rows", "--help").output.contains("in CSV by address alone"))
    }

    @Test("An empty list is shown as such, long JSON is folded, and an identifier comes last in a table")
    func values() throws {
        let tool = try Tool()
        let path = try tool.library()
        let json =
            #"[{"id":"6F1C2B1E-0000-4000-8000-000000000001","name":"\#(String(repeating: "long ", count: 30))"}]"#
        func show(_ json: String) throws -> [String] {
            try tool.execute("UPDATE ZBOOK SET ZCOVER = CAST('\(json)' AS BLOB) WHERE Z_PK = 1")
            let result = try tool.run("show", path, "Book/p1")
            #expect(result.status == 0, "\(result.errors)")
            return result.lines
        }
        #expect(try show("[]").contains("  cover    []"))
        #expect(try show("{}").contains("  cover    {}"))
        #expect(try show("[[1],[2]]").contains("  cover    [[1],[2]]"))
        let folded = try show(json)
        let place = try #require(folded.firstIndex { $0.hasPrefix("  cover") })
        #expect(folded[place] == "  cover    [" && folded[place + 1] == "             {", "\(folded)")
        let numbers = try show("[\((1...60).map(String.init).joined(separator: ","))]")
        #expect(numbers.allSatisfy { $0.count <= 100 }, "\(numbers)")
        #expect(numbers.contains { $0.hasPrefix("           ") && $0.hasSuffix("60") }, "\(numbers)")
        _ = try show(json)
        let row = try tool.run("rows", path, "Book", "--where", "title == 'Book 1'", "--columns", "cover").output
        #expect(row.contains("Book/p1  (name: long long"), "\(row)")
    }
}
