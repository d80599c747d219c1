import Foundation
import Testing

@testable import SQLiteStore
@testable import StoreBrowser

@Suite("Pages of rows")
struct PagingTests {
    /// All rows, as a program reads them: by the number of the next page, and by the cursor if there is one.
    private func walk(_ store: BrowsedStore, _ wish: String, size: Int, sendsPage: Bool = true) async throws -> [String]
    {
        var found: [String] = []
        var next = ""
        for _ in 0..<100 {
            let answer = try await store.json("rows/Book.json?\(wish)&size=\(size)\(next)")
            found += (answer["rows"] as? [[String: Any]] ?? []).compactMap { $0["$id"] as? String }
            guard let page = answer["nextPage"] as? Int else { return found }
            let after = (answer["after"] as? String).flatMap {
                $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            }
            #expect(sendsPage || after != nil)
            next = (sendsPage ? "&page=\(page)" : "") + (after.map { "&after=\($0)" } ?? "")
        }
        Issue.record("\(wish): there is no end")
        return found
    }

    @Test(
        "JSON contains the next page, and the end, with cursors and without",
        arguments: ["", "sort=-pages", "sort=price", "where=pages%20%3E%20300", "where=pages%20%3C%200"])
    func end(wish: String) async throws {
        let store = try BrowsedStore(books: 60)
        let all = try await walk(store, wish, size: 1000)
        #expect(try await walk(store, wish, size: 7) == all)
        // The last page is full: no empty page follows.
        let last = try await store.json("rows/Book.json?size=20&page=3")
        #expect(last["nextPage"] is NSNull && last["after"] is NSNull && (last["rows"] as? [Any])?.count == 20)
        // Sorted by price, a page may have no cursor.
        if !wish.contains("price") { #expect(try await walk(store, wish, size: 7, sendsPage: false) == all) }
    }

    @Test(
        "Values of another storage class neither end a listing early nor make it endless",
        arguments: [
            "sort=isLent", "sort=-isLent", "sort=title", "sort=-title", "sort=printed,isLent", "sort=-isLent,title",
        ])
    func oddValues(wish: String) async throws {
        let store = try BrowsedStore(books: 40)
        try await store.restart { _ in }
        try Connection(.file(store.url), access: .readWrite).execute(
            "UPDATE ZBOOK SET ZISLENT = 7, ZTITLE = x'FFFE62' WHERE Z_PK % 5 = 0")
        for size in [3, 7, 40] {
            let found = try await walk(store, wish, size: size)
            #expect(found.count == 40 && Set(found).count == 40, "\(wish) \(size)")
        }
    }

    @Test("A page beyond the last one says so, and links back")
    func behindLast() async throws {
        let store = try BrowsedStore(books: 450)
        let page = await store.text("rows/Book?page=999")
        #expect(page.contains("There is no page 999; the last one is page 9.") && page.contains("Page 999 of 9"))
        #expect(page.contains("page=9\" aria-label=\"Page before\"") && page.contains("aria-label=\"First page\""))
        let twin = try await store.json("rows/Book.json?page=999")
        #expect(twin["nextPage"] is NSNull && (twin["rows"] as? [Any])?.isEmpty == true)
        let saves = try await store.json("history.json")["transactions"] as? [[String: Any]] ?? []
        let largest = try #require(saves.max { ($0["inserted"] as? Int ?? 0) < ($1["inserted"] as? Int ?? 0) })
        let save = await store.text("history/\(largest["number"] as? Int ?? 0)?page=99999")
        #expect(save.contains("There is no page 99,999") && save.contains("aria-label=\"Page before\""))
    }

    @Test("A filter can be cleared, and rows listed by a relationship link to the object they come from")
    func wayOut() async throws {
        let store = try BrowsedStore()
        #expect(await store.text("rows/Book").contains(">Clear<") == false)
        let none = await store.text("rows/Book?where=pages%20%3E%2099999&sort=title")
        #expect(
            none.contains(">Clear</a>") && none.contains("No row matches. <a href=") && none.contains("All rows</a>"))
        let led = await store.text("rows/Book?leads=shelf&to=Shelf%2Fp1")
        #expect(led.contains("href=\"/\(BrowsedStore.token)/object/Shelf/p1\"") && led.contains(">all rows</a>"))
    }

    @Test("A row's label links to the row; narrow screens show which columns are left out, and how to sort")
    func cards() async throws {
        let store = try BrowsedStore()
        let page = await store.text("rows/Book")
        #expect(
            page.contains("<a class=\"telling\" href=\"/\(BrowsedStore.token)/object/Book/p1\"><bdi>Book 1</bdi></a>"))
        #expect(page.contains("aria-label=\"title, descending\""))
        let row = page.components(separatedBy: "<tr>").last ?? ""
        let columns = row.components(separatedBy: "data-label=").count - 1
        #expect(columns > 7 && row.contains("… \(columns - 7) more</a>"))
        #expect(await store.text("rows/Label").contains(" more</a>") == false)
        #expect(page.components(separatedBy: "data-all").count == 3)
    }
}
