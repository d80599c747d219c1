import Foundation
import Testing

@testable import ObjectGraph

@testable import StoreBrowser

@Suite("The diagram of a plan")
struct PlanPictureTests {
    private func graph(_ store: BrowsedStore, _ entity: String) async throws -> PlanGraph {
        try await store.site.source.readSession { look in
            let opened = look.store
            let index = try opened.model.inspectedEntity(entity).index
            let plan = try opened.plan(DeleteRequest(.matching(Query(entityIndex: index))))
            return PlanGraph(plan, opened.model)
        }
    }

    @Test("Boxes show deleted, surviving and refusing rows")
    func boxes() async throws {
        let store = try BrowsedStore()
        let shelves = try await graph(store, "Shelf")
        let byEntity = Dictionary(shelves.nodes.map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(byEntity["Shelf"]?.kind == .asked && byEntity["Shelf"]?.count == 3)
        #expect(byEntity["Book"]?.kind == .goes && byEntity["Book"]?.count == 9)
        #expect(byEntity["Atlas"]?.kind == .goes && byEntity["Atlas"]?.count == 3)
        #expect(byEntity["Label"]?.kind == .stays && byEntity["Label"]?.count == 3)
        #expect(shelves.edges.contains { $0.relationship == "books" && $0.rule == "cascade" && $0.count == 9 })
        #expect(shelves.edges.contains { $0.relationship == "books" && $0.rule == "loses members" && $0.count == 3 })
        let labels = try await graph(store, "Label")
        #expect(labels.nodes.map(\.kind).contains(.stays) && !labels.nodes.map(\.kind).contains(.goes))
        let readers = try await graph(store, "Reader")
        #expect(readers.nodes.contains { $0.kind == .blocks && $0.count == 2 })
    }

    @Test("Rows reached by rules are not counted as selected, even if they are of the same entity")
    func loops() async throws {
        let store = try BrowsedStore()
        let model = try await store.site.source.readSession { $0.store.model }
        var plan = DeletePlan()
        let (books, shelf) = (
            RelationshipName(entity: "Shelf", relationship: "books"),
            RelationshipName(entity: "Book", relationship: "shelf")
        )
        let own = RelationshipName(entity: "Shelf", relationship: "inside")
        plan.reaches = [
            CascadePath(entity: "Shelf", via: nil, count: 1), CascadePath(entity: "Shelf", via: own, count: 300),
            CascadePath(entity: "Book", via: books, count: 20), CascadePath(entity: "Shelf", via: shelf, count: 4),
        ]
        let graph = PlanGraph(plan, model)
        let asked = try #require(graph.nodes.first)
        #expect(asked.count == 1 && asked.along == 304 && asked.total == 305)
        let addresses = Addresses(token: "t")
        let drawing = PlanDrawing(graph)
        #expect(drawing.svg(addresses).text.contains("Shelf: 1 selected, ↻ inside 300, ↩ by others 4, deleted too"))
        #expect(drawing.tree(addresses).text.contains("<small>↻ inside 300 ↩ by others 4 deleted too</small>"))
    }

    @Test("Survivors are connected to the entity of their lost links, even if related entities are deleted as well")
    func family() async throws {
        let store = try BrowsedStore()
        let graph = try await store.site.source.readSession { look in
            let opened = look.store
            let plan = try opened.plan(
                DeleteRequest(.matching(Query(entityIndex: try opened.model.inspectedEntity("Book").index))))
            return PlanGraph(plan, opened.model, try opened.reading { try CutEnds(plan, $0, in: opened.model) })
        }
        func edges(_ from: String, _ to: String) -> [PlanGraph.Edge] {
            graph.edges.filter { $0.from.map { graph.nodes[$0].entity } == [from] && graph.nodes[$0.to].entity == to }
        }
        #expect(edges("Book", "Label").map(\.count) == [3] && edges("Atlas", "Label").map(\.count) == [1])
        // Without a lookup: from all of them at once.
        let plain = try await self.graph(store, "Book")
        #expect(plain.edges.contains { $0.from.count == 2 && plain.nodes[$0.to].entity == "Label" && $0.count == 3 })
        let page = await store.text("plan?entity=Book")
        #expect(page.contains("role=\"group\"") && page.contains("aria-current=\"page\"><bdi>Book</bdi>"))
    }

    @Test("Boxes do not overlap, and those with more rows are taller")
    func layout() async throws {
        let graph = try await graph(BrowsedStore(books: 300), "Shelf")
        let layout = PlanLayout(graph)
        for (place, one) in layout.boxes.enumerated() {
            #expect(one.y >= 0 && one.y + one.height <= layout.height + 0.5)
            for other in layout.boxes[(place + 1)...] where one.x == other.x {
                #expect(one.y + one.height <= other.y || other.y + other.height <= one.y)
            }
        }
        let heights = Dictionary(
            zip(graph.nodes.map(\.entity), layout.boxes.map(\.height)), uniquingKeysWith: { first, _ in first })
        #expect(try #require(heights["Book"]) > #require(heights["Shelf"]))
    }
}

@Suite("Addresses")
struct AddressTests {
    @Test(
        "Any name survives being encoded in an address",
        arguments: ["Book", "a.json", "ä/ö?", "100%", "a b+c", "<&\"'>", "..", "日本"])
    func names(name: String) throws {
        let addresses = Addresses(token: "t")
        let request = WebRequest(method: "GET", target: Addresses.twin(addresses.rows(name, [("where", name)])))
        var route = try Route(Array(request.segments.dropFirst()))
        #expect(route.isProgram && route.take("rows"))
        #expect(try route.next() == name)
        #expect(try request.query["where"] == name)
    }

    @Test("A truncated or invalid percent encoding is refused", arguments: ["%", "%4", "%GG", "%FF"])
    func broken(text: String) {
        #expect(PercentText.decoded(text[...]) == nil)
        #expect(Fields("a=\(text)"[...]) == nil)
    }
}
