import Foundation
import Testing

@testable import StoreBrowser

@Suite("Views of the browser")
struct ViewTests {
    /// Addresses of all links of a page that lead to views.
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

    @Test("Every link of every page leads to a page that has a twin for programs")
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

    @Test("Rows are filtered, sorted and paged, for people and for programs")
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

    @Test("A filter that cannot be read is told of beside the field, with what was typed")
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

    @Test("Links are followed both ways, also where a model has no way back")
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

    @Test("What is not there is told so, in the form that was asked for")
    func missing() async throws {
        let store = try BrowsedStore()
        for path in [
            "nothing", "rows/Nobody", "rows", "object/Book/p999999", "object/Book", "history/99999",
            "static/nothing.css",
            "rows/Book/more", "%FF", "model.png", "do/delete",
        ] {
            #expect(await store.get(path).status == .notFound, "\(path)")
        }
        let twin = await store.get("rows/Nobody.json")
        #expect(twin.status == .notFound && twin.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(await store.get("object/Book/pX").status == .badRequest)
    }

    @Test("Looking leaves the file and its folder as they were")
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
