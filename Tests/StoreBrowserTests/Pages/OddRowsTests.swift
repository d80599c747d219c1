import Foundation
import Testing

@testable import SQLiteStore
@testable import StoreBrowser

/// Listings with rows that cannot be shown, or that are deleted meanwhile.
@Suite("Pages with unreadable, unknown or deleted rows")
struct OddRowsTests {
    private func execute(_ store: BrowsedStore, _ statement: String) throws {
        try Connection(.file(store.url), access: .readWrite).execute(statement)
    }

    // MARK: Skipped rows

    @Test(
        "Rows of an entity outside of the model do not end a listing early",
        arguments: ["", "sort=-pages", "sort=price", "sort=title,-pages", "where=pages%20%3E%2080"], [5, 7, 60])
    func unknownEntity(wish: String, size: Int) async throws {
        let store = try BrowsedStore(books: 60)
        try execute(store, "UPDATE ZBOOK SET Z_ENT = 99 WHERE Z_PK % 7 = 0 OR Z_PK BETWEEN 21 AND 40 OR Z_PK > 57")
        let readable = (1...57).filter { $0 % 7 != 0 && !(21...40).contains($0) && (!wish.contains("where") || $0 > 8) }
        var found: [String] = []
        var next: String? = ""
        while let current = next, found.count < 100 {
            let answer = try await store.json("rows/Book.json?\(wish)&size=\(size)\(current)")
            found += (answer["rows"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
            let after = (answer["after"] as? String).flatMap {
                $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            }
            next = (answer["nextPage"] as? Int).map { "&page=\($0)" + (after.map { "&after=\($0)" } ?? "") }
        }
        #expect(found.sorted() == readable.map { "Book \($0)" }.sorted(), "\(wish) \(size)")
    }

    // MARK: Rows that cannot be read

    /// Makes cells of several types of columns unreadable, distributed over the pages.
    private func damage(_ store: BrowsedStore) throws {
        try execute(store, "UPDATE ZBOOK SET ZPAGES = 'abc' WHERE Z_PK IN (3, 4, 25, 59)")
        try execute(store, "UPDATE ZBOOK SET ZPAGES = x'00ff' WHERE Z_PK IN (10, 60)")
        try execute(store, "UPDATE ZBOOK SET ZTITLE = x'41' WHERE Z_PK IN (1, 30, 31)")
        try execute(store, "UPDATE ZBOOK SET ZPRINTED = 'never' WHERE Z_PK % 6 = 0")
        try execute(store, "UPDATE ZBOOK SET ZPRINTED = Z_PK WHERE Z_PK % 6 = 1")
        try execute(store, "UPDATE ZBOOK SET ZPRICE = 'free' WHERE Z_PK IN (7, 8)")
    }

    @Test("An unreadable value is marked in its place; the row's other values and later rows are shown")
    func unreadable() async throws {
        let store = try BrowsedStore(books: 60)
        try execute(store, "UPDATE ZBOOK SET ZPAGES = 'abc' WHERE Z_PK = 25")
        let answer = await store.get("rows/Book?size=10&page=3")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .ok && page.contains("<b>21–30</b> of 60") && !page.contains("role=\"alert\""))
        #expect(page.contains("Book 25<") && page.contains("Book 30<"))
        #expect(page.components(separatedBy: "⟨unreadable⟩").count == 2)
        #expect(page.contains("1 value could not be read, and is marked"))
        let twin = try await store.json("rows/Book.json?size=30")
        let rows = try #require(twin["rows"] as? [[String: Any]])
        #expect(rows.count == 30 && twin["problem"] == nil && twin["after"] is String)
        for row in rows {
            let isDamaged = row["title"] as? String == "Book 25"
            #expect((row["pages"] as? [String: Any])?["$lost"] is String == isDamaged, "\(row)")
            #expect(row.values.count { $0 is [String: Any] } == (isDamaged ? 1 : 0), "\(row)")
        }
        #expect(await !store.text("rows/Book?size=10").contains("could not be read"))
        let others = await store.text("rows/Book?where=pages%20%3C%20100")
        #expect(others.contains("Book 9<"))
    }

    @Test("Unreadable values are marked also if rows of an unknown entity are skipped")
    func unreadableBesideUnknown() async throws {
        let store = try BrowsedStore(books: 60)
        try damage(store)
        try execute(store, "UPDATE ZBOOK SET Z_ENT = 99 WHERE Z_PK BETWEEN 11 AND 20")
        let twin = try await store.json("rows/Book.json?size=20&after=%5B0%5D")
        let rows = try #require(twin["rows"] as? [[String: Any]])
        #expect(rows.compactMap(Self.key) == [1...10, 21...30].flatMap { $0 })
        let marked = rows.filter { ($0["pages"] as? [String: Any])?["$lost"] != nil }
        #expect(marked.compactMap(Self.key) == [3, 4, 10, 25])
    }

    @Test(
        "Pages sorted by a column with unreadable values follow the stored values, and have every row once",
        arguments: ["", "pages", "-pages", "title", "-title", "printed", "-printed,pages", "price", "pages,-title"],
        [4, 7, 60])
    func sortedByUnreadable(sort: String, size: Int) async throws {
        let store = try BrowsedStore(books: 60)
        try damage(store)
        let terms = sort.split(separator: ",").map { key in
            "Z\(key.drop { $0 == "-" }.uppercased())\(key.hasPrefix("-") ? " DESC" : "")"
        }
        let sql = "SELECT Z_PK FROM ZBOOK ORDER BY \((terms + ["Z_PK"]).joined(separator: ", "))"
        let connection = try Connection(.file(store.url), access: .readOnly)
        let expected = try connection.withStatement(sql) { statement in
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(at: 0)) }
            return keys
        }
        var found: [Int64] = []
        var next: String? = ""
        while let current = next, found.count <= expected.count {
            let answer = try await store.json("rows/Book.json?sort=\(sort)&size=\(size)\(current)")
            found += (answer["rows"] as? [[String: Any]] ?? []).compactMap(Self.key)
            let after = (answer["after"] as? String).flatMap {
                $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            }
            next = (answer["nextPage"] as? Int).map { "&page=\($0)" + (after.map { "&after=\($0)" } ?? "") }
        }
        #expect(found == expected, "\(sort) \(size)")

        // From the last page back to the first.
        var backwards: [Int64] = []
        var path = await BrowsedStore.link("Last page", of: store.text("rows/Book?sort=\(sort)&size=\(size)"))
        while let current = path, backwards.count <= expected.count {
            let page = await store.text(current)
            backwards = Self.keys(of: page) + backwards
            path = BrowsedStore.link("Page before", of: page)
        }
        #expect(backwards.isEmpty && size == 60 || backwards == expected, "\(sort) \(size)")
    }

    private static func key(_ row: [String: Any]) -> Int64? {
        (row["$id"] as? String)?.split(separator: "/p").last.flatMap { Int64($0) }
    }

    /// Keys of the rows on a page.
    private static func keys(of page: String) -> [Int64] {
        page.components(separatedBy: "name=\"object\" value=\"").dropFirst().compactMap { text in
            text.prefix { $0 != "\"" }.split(separator: "/p").last.flatMap { Int64($0) }
        }
    }

    @Test("An unreadable value stops no search, suggestion or plan")
    func unreadableElsewhere() async throws {
        let store = try BrowsedStore()
        try execute(store, "UPDATE ZBOOK SET ZPAGES = 'abc' WHERE Z_PK = 1")
        for path in ["search?text=Book", "suggest/Book?text=Book", "plan?entity=Shelf", "plan?object=Book/p1"] {
            let answer = await store.get(path)
            #expect(answer.status == .ok, "\(path)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Book 1"), "\(path)")
        }
    }

    @Test("An unreadable value is marked on the page of its row, and in downloads")
    func markedValue() async throws {
        let store = try BrowsedStore()
        try execute(store, "UPDATE ZBOOK SET ZPAGES = 'abc' WHERE Z_PK = 1")
        let answer = await store.get("object/Book/p1")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .ok && page.contains("⟨") && page.contains("Book 1"))
        let twin = try await store.json("object/Book/p1.json")
        let pages = (twin["attributes"] as? [String: Any])?["pages"] as? [String: Any]
        #expect(pages?["$lost"] is String, "\(twin)")
        let download = await store.get("download/rows/Book.csv")
        #expect(download.status == .ok, "\(download.status)")
    }

    @Test("A link to a row with an unreadable value shows that row's label")
    func unreadableEnd() async throws {
        let store = try BrowsedStore()
        try execute(store, "UPDATE ZBOOK SET ZPAGES = 'abc' WHERE Z_PK = 1")
        let answer = await store.get("rows/Note")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .ok && page.contains("object/Book/p1\" title=") && !page.contains("was deleted"))
    }

    // MARK: Deleted rows

    @Test("Row numbers never exceed the last row")
    func numbers() async throws {
        let store = try BrowsedStore(books: 150)
        let second = try #require(await BrowsedStore.link("Next page", of: store.text("rows/Book")))
        let third = try #require(await BrowsedStore.link("Next page", of: store.text(second)))
        let back = try #require(await BrowsedStore.link("Page before", of: store.text(third)))
        #expect(back.contains("page=2") && back.contains("before="))
        #expect(await store.text("rows/Book?page=999&before=end").contains("<b>101–150</b> of 150"))
        try execute(store, "DELETE FROM ZBOOK WHERE Z_PK > 140")
        #expect(await store.text("rows/Book?page=999&before=end").contains("<b>101–140</b> of 140"))
        #expect(await store.text(third.replacing("page=3", with: "page=82")).contains("<b>101–140</b> of 140"))
        #expect(try await store.json("rows/Book.json?page=9&before=end")["page"] as? Int == 3)
        try execute(store, "DELETE FROM ZBOOK WHERE Z_PK <= 50")
        let first = await store.text(back)
        #expect(first.contains("<b>1–50</b> of 90") && BrowsedStore.link("Page before", of: first) == nil)
        try execute(store, "DELETE FROM ZBOOK WHERE Z_PK > 100")
        let end = await store.text(third)
        #expect(end.contains("There are no rows here any more.") && BrowsedStore.link("Page before", of: end) != nil)
    }

    // MARK: Parameters

    @Test("An invalid order is reported as such, and not kept; the page size is kept")
    func badOrder() async throws {
        let store = try BrowsedStore()
        let answer = await store.get("rows/Book?sort=colour&size=7")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .badRequest && page.contains("The order cannot be used.") && page.contains("colour"))
        #expect(!page.contains("aria-invalid") && !page.contains("name=\"sort\""))
        #expect(
            page.contains("<input type=\"hidden\" name=\"size\" value=\"7\">") && page.contains("Without an order</a>"))
        let sorted = await store.text("rows/Book?sort=title")
        #expect(
            sorted.contains("<input type=\"hidden\" name=\"sort\" value=\"title\">")
                && !sorted.contains("type=\"hidden\" name=\"size\""))
        #expect(await store.text("rows/Book?where=colour%20%3D%3D%201").contains("aria-invalid"))
    }

    @Test("Dates of a page without times of day are shown as days; JSON has the time")
    func days() async throws {
        let store = try BrowsedStore()
        try execute(store, "UPDATE ZBOOK SET ZPRINTED = 86400 * Z_PK")
        try execute(store, "UPDATE ZBOOK SET ZPRINTED = NULL WHERE Z_PK = 2")
        let days = await store.text("rows/Book")
        #expect(days.contains("<bdi>2001-01-02</bdi>") && !days.contains("00:00:00"))
        let twin = try await store.json("rows/Book.json")["rows"] as? [[String: Any]]
        #expect(twin?.first?["printed"] as? String == "2001-01-02T00:00:00Z")
        try execute(store, "UPDATE ZBOOK SET ZPRINTED = 3600 WHERE Z_PK = 3")
        let times = await store.text("rows/Book")
        #expect(times.contains("<bdi>2001-01-02 00:00:00</bdi>") && times.contains("<bdi>2001-01-01 01:00:00</bdi>"))
    }

    // MARK: Labels

    @Test("An invisible label is no label, and one with many combining marks is truncated")
    func labels() async throws {
        let store = try BrowsedStore()
        let marks = String(repeating: "\u{301}", count: 5_000)
        try execute(store, "UPDATE ZSHELF SET ZNAME = '  ' || char(8203) WHERE Z_PK = 1")
        try execute(store, "UPDATE ZSHELF SET ZNAME = 'e\(marks)' WHERE Z_PK = 2")
        let object = await store.text("object/Shelf/p1")
        #expect(object.contains("<h1><bdi>Shelf/p1</bdi></h1>") && object.contains("<title>Shelf/p1 ·"))
        let rows = await store.text("rows/Shelf")
        #expect(rows.contains("<span class=\"nil\">blank</span>"))
        #expect(rows.components(separatedBy: "class=\"telling\"").count == 3)
        for path in ["rows/Shelf", "rows/Book", "plan?entity=Shelf"] {
            let count = await store.text(path).unicodeScalars.filter { $0 == "\u{301}" }.count
            #expect(count < 4_000, "\(path)")
        }
    }
}
