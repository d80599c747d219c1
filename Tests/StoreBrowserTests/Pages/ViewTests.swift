import Foundation
import Testing

@testable import StoreBrowser

@Suite("Pages of the browser")
struct ViewTests {
    /// Addresses of all links of a page to pages of the browser.
    private func links(_ text: String) -> Set<String> {
        var found: Set<String> = []
        for piece in text.components(separatedBy: "href=\"").dropFirst() {
            let address = String(piece.prefix { $0 != "\"" }).replacingOccurrences(of: "&amp;", with: "&")
            if address.hasPrefix("/\(BrowsedStore.token)/"), !address.contains("/static/") {
                found.insert(String(address.dropFirst(BrowsedStore.token.count + 2)))
            }
        }
        return found
    }

    @Test("Every link of every page opens a page with a JSON counterpart")
    func links() async throws {
        let store = try BrowsedStore()
        var seen: Set<String> = []
        var rest: [String] = ["entities", "plan?object=Shelf%2Fp1", "work", "plan?object=Reader%2Fp1"]
        while let path = rest.popLast() {
            guard seen.insert(path).inserted else { continue }
            let answer = await store.get(path)
            #expect(answer.status == .ok, "\(path): \(answer.status)")
            let text = String(decoding: answer.body, as: UTF8.self)
            let type = answer.headers["content-type"] ?? ""
            if answer.file != nil { continue }
            if type.hasPrefix("application/json") {
                #expect(throws: Never.self, "\(path)") { try JSONSerialization.jsonObject(with: Data(answer.body)) }
            } else if type.hasPrefix("text/html") {
                rest += links(text)
                #expect(text.contains("type=\"application/json\""), "\(path) names no twin")
            }
        }
        #expect(seen.count > 60, "only \(seen.count) views were found")
        #expect(seen.contains("model.svg") && seen.contains("history.json"))
    }

    @Test("Rows are filtered, sorted and paged, in pages and in JSON")
    func rows() async throws {
        let store = try BrowsedStore(books: 120)
        let first = try await store.json("rows/Book.json?where=pages%20%3E%20100&sort=-pages&size=20&page=2")
        #expect(first["total"] as? Int == 110)
        let rows = first["rows"] as? [[String: Any]] ?? []
        #expect(rows.count == 20 && rows.first?["title"] as? String == "Book 100")
        let page = await store.text("rows/Book?where=pages%20%3E%20100&sort=-pages")
        #expect(page.contains("<b>1–50</b> of 110") && page.contains("Book 120") && !page.contains("Book 70<"))
        #expect(page.contains("aria-sort=\"descending\""))
        let beyond = await store.get("rows/Book?page=999999999999")
        #expect(beyond.status == .ok)
    }

    @Test("A save of many changes is shown in pages, and in the list by its counts and first changes")
    func manyChanges() async throws {
        let store = try BrowsedStore(books: 450)
        let listed = try await store.json("history.json")["transactions"] as? [[String: Any]] ?? []
        let largest = try #require(listed.max { ($0["inserted"] as? Int ?? 0) < ($1["inserted"] as? Int ?? 0) })
        let (number, inserted) = (try #require(largest["number"] as? Int), largest["inserted"] as? Int ?? 0)
        #expect(inserted >= 450 && (largest["changes"] as? [Any])?.count == 6)
        var objects: [String] = []
        for page in 1...3 {
            let part = try await store.json("history/\(number).json?page=\(page)")
            #expect(part["inserted"] as? Int == inserted)
            objects += (part["changes"] as? [[String: Any]] ?? []).compactMap { $0["object"] as? String }
        }
        #expect(objects.count == inserted && Set(objects).count == inserted)
        #expect((try await store.json("history/\(number).json?page=9")["changes"] as? [Any])?.isEmpty == true)
        #expect(await store.text("history/\(number)?page=2").contains("<b>201–400</b> of \(inserted)"))
        for number in ["0", "-1", "\(Int64.max)", "\(Int64.min)"] {
            #expect(await store.get("history/\(number)").status == .notFound, "\(number)")
        }
    }

    @Test(
        "Pages begin where the one before ended, in any order and both ways",
        arguments: [
            "", "sort=-pages", "sort=price,-title", "sort=-price", "sort=isLent,printed", "where=pages%20%3E%20300",
        ])
    func cursors(wish: String) async throws {
        let store = try BrowsedStore(books: 60)
        let all = try await addresses(store, "rows/Book.json?\(wish)&size=1000")
        var found: [String] = []
        var pages: [String] = []
        var path: String? = "rows/Book?\(wish)&size=7"
        while let current = path, pages.count < 20 {
            pages.append(current)
            found += try await addresses(store, current.replacing("rows/Book?", with: "rows/Book.json?"))
            path = await BrowsedStore.link("Next page", of: store.text(current))
        }
        #expect(found == all && pages.count > 4, "\(wish)")
        // Decimals are skipped by count: they are not sorted by their texts.
        #expect(wish.contains("price") || pages.dropFirst().allSatisfy { $0.contains("after=") }, "\(pages)")
        let last = try #require(await BrowsedStore.link("Last page", of: store.text(pages[0])))
        #expect(
            try await addresses(store, last.replacing("rows/Book?", with: "rows/Book.json?"))
                == Array(all.suffix((all.count - 1) % 7 + 1)))
        var back: [String] = []
        path = last
        while let current = path, back.count < all.count {
            back = try await addresses(store, current.replacing("rows/Book?", with: "rows/Book.json?")) + back
            path = await BrowsedStore.link("Page before", of: store.text(current))
        }
        #expect(back == all, "\(wish)")
    }

    @Test("Deleting rows between two pages leaves no row out")
    func cursorAfterDelete() async throws {
        let store = try BrowsedStore(books: 60) { $0.mayWrite = true }
        let all = try await addresses(store, "rows/Book.json?size=1000")
        let next = try #require(await BrowsedStore.link("Next page", of: store.text("rows/Book?size=10")))
        _ = try await store.delete("object=Book%2Fp5&object=Book%2Fp10")
        await store.site.operation.waitUntilFinished()
        let shown = try await addresses(store, next.replacing("rows/Book?", with: "rows/Book.json?"))
        #expect(shown == Array(all[10..<20]))
    }

    @Test(
        "An invalid cursor is refused",
        arguments: [
            "after=%5B", "after=1", "after=%5B%22x%22%5D", "before=x", "after=%5B1,2,3%5D", "before=end&after=1",
            "after=%5B%5B%22title%22%5D,3%5D", "after=%5B%5B%22title%22,%22x%22%5D,3%5D", "sort=title&after=%5B3%5D",
        ])
    func badCursors(cursor: String) async throws {
        let store = try BrowsedStore(books: 20)
        #expect(await store.get("rows/Book.json?size=5&\(cursor)").status == .badRequest)
        #expect(await store.get("rows/Book.json?size=5&after=").status == .ok)
    }

    @Test("A cursor is valid only for its order, by the names of its keys and their directions")
    func cursorsOfOtherOrders() async throws {
        let store = try BrowsedStore(books: 20)
        let page = try #require(
            await BrowsedStore.link("Next page", of: store.text("rows/Book?sort=title,-pages&size=5")))
        let program = page.replacing("rows/Book?", with: "rows/Book.json?")
        #expect(await store.get(program).status == .ok)
        let sort = "sort=title%2C-pages"
        #expect(program.contains(sort), "\(program)")
        for other in ["title,pages", "-title,-pages", "printed,-pages", "-pages,title", "title"] {
            let asked = program.replacing(sort, with: "sort=\(other.replacing(",", with: "%2C"))")
            #expect(await store.get(asked).status == .badRequest, "\(asked)")
        }
        #expect(await store.get(program.replacing(sort, with: "sort=title,pages%20desc")).status == .ok)
    }

    private func addresses(_ store: BrowsedStore, _ path: String) async throws -> [String] {
        (try await store.json(path)["rows"] as? [[String: Any]] ?? []).compactMap { $0["$id"] as? String }
    }

    @Test("A malformed filter is reported beside its field, with the typed text")
    func badFilter() async throws {
        let store = try BrowsedStore()
        for filter in ["pages%20%3E", "colour%20%3D%3D%201", "%22"] {
            let answer = await store.get("rows/Book?where=\(filter)")
            #expect(answer.status == .badRequest, "\(filter)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("aria-invalid"), "\(filter)")
            let twin = try await store.json("rows/Book.json?where=\(filter)")
            #expect((twin["problem"] as? String)?.isEmpty == false, "\(filter)")
        }
    }

    @Test("Links are listed both ways, also in a model without an inverse")
    func bothWays() async throws {
        let store = try BrowsedStore(books: 30)
        let members = try await store.json("rows/Book.json?leads=shelf&to=Shelf%2Fp1&size=100")
        #expect(members["total"] as? Int == 10)
        let byLabel = try await store.json("rows/Book.json?leads=labels&to=Label%2Fp3")
        #expect(byLabel["total"] as? Int == 5)
        let object = try await store.json("object/Note/p1.json")
        let about = (object["relationships"] as? [String: [String: Any]])?["about"]?["first"] as? [String]
        let book = try #require(about?.first)
        let incoming = try await store.json("object/\(book).json")["incoming"] as? [[String: Any]]
        #expect(incoming?.first?["relationship"] as? String == "Note.about")
        #expect(try await store.json("rows/Note.json?leads=about&to=\(book)")["total"] as? Int == 1)
        #expect(try await store.json("rows/Book.json?of=Note%2Fp1&through=about")["total"] as? Int == 1)
    }

    @Test("A missing object is reported in the requested format")
    func missing() async throws {
        let store = try BrowsedStore()
        for path in [
            "nothing", "rows/Nobody", "object/Book/p999999", "object/Book", "history/99999",
            "static/nothing.css",
            "rows/Book/more", "%FF", "model.png", "do/delete",
        ] {
            #expect(await store.get(path).status == .notFound, "\(path)")
        }
        #expect(await store.text("rows/Nobody").contains("<h1>There is no entity Nobody</h1>"))
        #expect(await store.text("object/Book/p999999").contains("<title>Book/p999999 is not there"))
        #expect(await store.text("history/99999").contains("<h1>Save #99999 is not there</h1>"))
        let twin = await store.get("rows/Nobody.json")
        #expect(twin.status == .notFound && twin.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(await store.get("object/Book/pX").status == .badRequest)
    }

    @Test("Reading leaves the file and its folder unchanged")
    func untouched() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let before = (store.files, try Data(contentsOf: store.url))
        for path in [
            "entities", "rows/Book", "object/Book/p1", "model", "history", "plan?entity=Shelf", "kept", "work",
        ] {
            _ = await store.get(path)
        }
        #expect(store.files == before.0)
        #expect(try Data(contentsOf: store.url) == before.1)
    }
}
