import Foundation
import Testing

@testable import StoreBrowser

@Suite("Searching in the browser")
struct SearchTests {
    private func total(_ store: BrowsedStore, _ filter: String, of entity: String = "Dish") async throws -> Int {
        let answer = try await store.json("rows/\(entity).json?where=\(PercentText.encoded(filter))")
        #expect(answer["problem"] == nil, "\(filter): \(answer["problem"] ?? "")")
        return answer["total"] as? Int ?? -1
    }

    @Test(
        "Words are found in all texts without regard to case and accents, and as numbers, dates and identifiers",
        arguments: [
            ("soup", 1), ("SOUP", 1), ("creme", 1), ("brulee creme", 1), ("creme soup", 0), ("\"Bean soup\"", 1),
            ("'line two'", 3), ("40", 1), ("p2", 1), ("Dish/p2", 1), ("Menu/p2", 0), ("2001-01-02", 1), ("O'Brien", 0),
            ("nothing of the kind", 0), ("soup like this", 0), ("line and two", 0), ("note", 0), ("50%", 0),
        ])
    func words(filter: String, count: Int) async throws {
        #expect(try await total(EditedStore.site(), filter) == count)
    }

    @Test(
        "Predicates are still accepted",
        arguments: [("minutes > 20", 2), ("title CONTAINS[cd] 'bean' AND isHot == YES", 1)])
    func predicates(filter: String, count: Int) async throws {
        #expect(try await total(EditedStore.site(), filter) == count)
    }

    @Test(
        "A text with an operator is a predicate; if it has an error, the rows stay visible, and the position is marked",
        arguments: ["minutes >", "minutes >> 3", "title LIKE", "title contains", "colour == 1", "bean AND"])
    func mistakes(filter: String) async throws {
        let store = try EditedStore.site()
        let path = "rows/Dish?where=\(PercentText.encoded(filter))"
        let answer = await store.get(path)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .badRequest && page.contains("aria-invalid=\"true\""), "\(filter)")
        #expect(page.contains("class=\"stale\" inert") && page.contains("Bean soup"), "\(filter)")
        #expect(!page.contains("/download/") && page.contains("Search for this text instead"), "\(filter)")
        #expect(page.contains("class=\"caret\"") == (filter != "colour == 1"), "\(filter)")
        #expect(try await (store.json(path.replacing("Dish?", with: "Dish.json?"))["rows"] as? [Any])?.isEmpty == true)
    }

    @Test("Words restrict the rows of a delete plan in the same way")
    func plans() async throws {
        let store = try EditedStore.site()
        let plan = try await store.json("plan.json?entity=Dish&where=soup")
        #expect(plan["asked"] as? Int == 1 && plan["deleted"] as? Int == 3, "\(plan)")
        #expect(await store.text("rows/Dish?where=soup").contains("Plan deleting all 1"))
    }

    @Test("One box searches all entities: by entity, with counts, the first rows, and the matching text")
    func everywhere() async throws {
        let store = try EditedStore.site()
        #expect(await store.text("entities").contains("action=\"/\(BrowsedStore.token)/search\""))
        let found = try await store.json("search.json?text=line")
        let groups = found["groups"] as? [[String: Any]] ?? []
        #expect(groups.map { $0["entity"] as? String } == ["Dish"] && groups.first?["count"] as? Int == 3)
        let first = (groups.first?["first"] as? [[String: Any]])?.first
        #expect(first?["label"] as? String == "Bean soup" && first?["property"] as? String == "note")
        let page = await store.text("search?text=o")
        for entity in ["Dish", "Ingredient", "Picture"] {
            #expect(page.contains("<bdi>\(entity)</bdi></a>"), "\(entity)")
        }
        #expect(await store.text("search?text=%3Cscript%3E").contains("No row has this."))
        #expect(await store.get("search").status == .ok)
        #expect(await store.get("search?text=a&colour=1").status == .badRequest)
    }

    @Test("Rows are suggested by their texts")
    func suggestions() async throws {
        let store = try EditedStore.site()
        let rows = try await store.json("suggest/Course.json?text=ma")["rows"] as? [[String: Any]] ?? []
        #expect(rows.map { $0["label"] as? String } == ["Main"])
        #expect((try await store.json("suggest/Course.json")["rows"] as? [Any])?.count == 2)
    }

    @Test("A filter box suggests the properties, those of to-one relationships, and their types")
    func completions() async throws {
        let page = await (try EditedStore.site()).text("rows/Dish")
        #expect(page.contains("&quot;name&quot;:&quot;menu.name&quot;") && page.contains("data-completions"))
        #expect(page.contains("What can be typed"))
    }
}
