import Foundation
import Testing

@testable import StoreBrowser

@Suite("Downloads and SQL in the browser")
struct DownloadTests {
    private func content(_ answer: WebResponse) throws -> String {
        let file = try #require(answer.file)
        var bytes: [UInt8] = []
        while bytes.count < file.size { bytes += try file.piece(at: bytes.count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A download has all rows of the listing, with its filter, order and columns")
    func csv() async throws {
        let store = try BrowsedStore(books: 120)
        let page = await store.text("rows/Book?where=pages%20%3E%20100&sort=-pages&column=title&column=pages&page=2")
        let link = try #require(page.firstMatch(of: /href="([^"]*\.csv[^"]*)"/)?.output.1).replacing("&amp;", with: "&")
        let answer = await store.get(String(link.dropFirst(BrowsedStore.token.count + 2)))
        #expect(answer.headers["content-disposition"] == "attachment; filename*=UTF-8''Book.csv")
        let lines = try content(answer).split(separator: "\r\n").map(String.init)
        #expect(lines.count == 111 && lines[0] == "$id,title,pages" && lines[1] == "Atlas/p120,Book 120,1200")
    }

    @Test("A download in JSON has all rows with exact values, also of names in any script")
    func json() async throws {
        let store = try BrowsedStore(books: 30)
        let answer = await store.get("download/rows/Book.json?sort=title")
        let rows = try JSONSerialization.jsonObject(with: Data(try content(answer).utf8)) as? [[String: Any]]
        #expect(rows?.count == 30 && rows?.first?["title"] as? String == "Book 1")
        let shelves = try content(await store.get("download/rows/Shelf.csv"))
        #expect(shelves.contains("\"<script>alert(1)</script>\"\"'&</td>\""))
        let none = try content(await store.get("download/rows/Book.json?where=pages%20%3C%200"))
        #expect(none == "[]\n")
    }

    @Test("A long download is delivered in many pieces, and complete")
    func long() async throws {
        let store = try BrowsedStore(books: 3_000)
        let answer = await store.get("download/rows/Book.csv")
        #expect(try #require(answer.file).size > 2 * SpooledText.pieceSize)
        #expect(try content(answer).split(separator: "\r\n").count == 3_001)
    }

    @Test(
        "Unknown entities, formats and parameters are refused",
        arguments: [
            "rows/Nothing.csv", "rows/Book.xml", "rows/Book.csv?where=colour%20%3D%201", "rows/Book.csv?page=2",
            "sql/other.csv",
        ])
    func refused(path: String) async throws {
        let store = try BrowsedStore()
        let status = await store.get("download/\(path)").status
        #expect(status == .notFound || status == .badRequest)
    }

    @Test("Links to other pages and orders keep the selected columns")
    func columns() async throws {
        let store = try BrowsedStore(books: 60)
        let page = await store.text("rows/Book?column=pages&column=shelf&size=20")
        #expect(page.contains("data-label=\"pages\"") && !page.contains("data-label=\"title\""))
        let next = try #require(BrowsedStore.link("Next page", of: page))
        #expect(next.contains("column=pages") && next.contains("size=20"))
        #expect(await store.get("rows/Book?column=colour").status == .badRequest)
    }

    // MARK: SQL

    private func sql(_ store: BrowsedStore, _ statement: String) async -> (WebResponse, String) {
        let answer = await store.get("sql?statement=\(PercentText.encoded(statement))")
        return (answer, String(decoding: answer.body, as: UTF8.self))
    }

    @Test("A reading statement shows its result, with the tables beside it, and as CSV")
    func statement() async throws {
        let store = try BrowsedStore()
        let (answer, page) = await sql(store, "SELECT ZTITLE, ZPAGES FROM ZBOOK WHERE ZPAGES > 100 -- many")
        #expect(answer.status == .ok && page.contains("<bdi>ZTITLE</bdi>") && page.contains("Book 11"))
        #expect(page.contains("<code>ZSHELF</code>") && page.contains("2 rows"))
        let csv = try content(await store.get("download/sql/result.csv?statement=SELECT%20ZTITLE%20FROM%20ZBOOK"))
        #expect(csv.split(separator: "\r\n").count == 13)
        let found = try await store.json("sql.json?statement=SELECT%201%20AS%20one")
        #expect(found["columns"] as? [String] == ["one"] && (found["rows"] as? [[Int]]) == [[1]])
    }

    @Test(
        "Statements that write, attach files or change settings are refused",
        arguments: [
            "DELETE FROM ZBOOK", "UPDATE ZBOOK SET ZPAGES = 1", "CREATE TABLE x (y)", "ATTACH 'x.db' AS x", "VACUUM",
            "SELECT 1; DELETE FROM ZBOOK", "PRAGMA query_only = OFF", "PRAGMA hard_heap_limit = 1",
            "PRAGMA user_version = 7",
            "PRAGMA journal_mode = DELETE", "BEGIN IMMEDIATE", "INSERT INTO ZBOOK DEFAULT VALUES",
        ])
    func readingOnly(statement: String) async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let before = try Data(contentsOf: store.url)
        let (answer, page) = await sql(store, statement)
        #expect(answer.status == .badRequest && page.contains("role=\"alert\""), "\(statement)")
        #expect(try Data(contentsOf: store.url) == before && store.files == ["a <b>.store"], "\(statement)")
    }

    @Test("An error in a statement is marked at its position")
    func mistake() async throws {
        let store = try BrowsedStore()
        let (answer, page) = await sql(store, "SELECT *\nFROM ZBOOK\nWHERE colour = 1")
        #expect(answer.status == .badRequest && page.contains("No such column: colour."))
        #expect(page.contains("WHERE colour = 1\n      ^</pre>"))
    }

    @Test("The page shows the first rows of a long result, and the download has all")
    func many() async throws {
        let store = try BrowsedStore()
        let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) SELECT x FROM n"
        let (_, page) = await sql(store, numbers)
        #expect(page.contains("The first 500 rows") && page.contains(">500<") && !page.contains(">501<"))
        #expect(
            try content(await store.get("download/sql/result.csv?statement=\(PercentText.encoded(numbers))")).split(
                separator: "\r\n"
            ).count == 5_001)
    }

    @Test("Texts of a result never become markup")
    func escaping() async throws {
        let store = try BrowsedStore()
        let (_, page) = await sql(store, "SELECT ZNAME AS '<script>' FROM ZSHELF")
        #expect(!page.contains("<script>alert") && !page.contains("<bdi><script>"))
    }
}
