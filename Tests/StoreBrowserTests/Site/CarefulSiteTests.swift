import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore
@testable import StoreBrowser

/// Edge cases of the pages: unusual files and addresses, and operations that fail.
@Suite("Edge cases of the browser")
struct CarefulSiteTests {
    private func execute(_ store: BrowsedStore, _ statement: String) throws {
        let connection = try Connection(.file(store.url), access: .readWrite)
        try connection.execute(statement)
    }

    @Test("The first page has a JSON counterpart, too")
    func firstPage() async throws {
        let store = try BrowsedStore()
        for first in ["/x/", "/x"] { #expect(Addresses.twin(first) == "/x/entities.json") }
        #expect(Addresses.twin("/x/?a=b") == "/x/entities.json?a=b")
        for path in ["entities/", "entities//"] { #expect(Addresses.twin("/x/\(path)") == "/x/entities.json") }
        #expect(Addresses.twin("/x/rows/A?a=b") == "/x/rows/A.json?a=b")
        #expect(await store.text("").contains("/\(BrowsedStore.token)/entities.json"))
        #expect(await store.get("entities.json").status == .ok)
    }

    @Test("A history counter far above the existing transactions does not prolong the search")
    func gaps() async throws {
        let store = try BrowsedStore()
        try execute(store, "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 << 60 WHERE Z_ENT = 16002")
        let history = try await store.json("history.json")
        #expect((history["transactions"] as? [Any])?.isEmpty == false)
        #expect(history["next"] is NSNull)
        #expect(await store.text("entities").contains("history/1\">#1</a>"))
    }

    @Test("Author and process of a save are isolated, whatever their writing direction")
    func authorAndProcess() async throws {
        let store = try BrowsedStore()
        #expect(await store.text("history").contains("<bdi>tests &lt;b&gt;</bdi>, <bdi>"))
        #expect(await store.text("history/1").contains("<bdi>tests &lt;b&gt;</bdi>, <bdi>"))
    }

    @Test("JSON of a plan lists objects that no longer exist, and says if nothing is selected")
    func goneFromPlan() async throws {
        let store = try BrowsedStore()
        let plan = try await store.json("plan.json?object=Book%2Fp1&object=Book%2Fp999")
        #expect(plan["gone"] as? [String] == ["Book/p999"] && plan["selected"] as? Bool == true)
        let none = try await store.json("plan.json")
        #expect((none["gone"] as? [Any])?.isEmpty == true && none["selected"] as? Bool == false)
    }

    @Test("While the file cannot be read, pages offer to try again, and show the state of the operation")
    func withoutFile() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        _ = try await store.delete("object=Label%2Fp1")
        await store.site.operation.waitUntilFinished()
        let aside = store.folder.appendingPathComponent("aside")
        try FileManager.default.moveItem(at: store.url, to: aside)
        let answer = await store.get("rows/Book?sort=title")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == .unavailable && page.contains("class=\"rail\""))
        #expect(page.contains("href=\"/\(BrowsedStore.token)/rows/Book?sort=title\">Try again</a>"))
        let work = await store.get("work")
        #expect(work.status == .ok && String(decoding: work.body, as: UTF8.self).contains("Deleted 1 Label"))
        #expect(try await store.json("work.json")["phase"] as? String == "deleted")
        try FileManager.default.moveItem(at: aside, to: store.url)
        #expect(await store.get("rows/Book?sort=title").status == .ok)
    }

    @Test("Errors of SQLite are shown in plain words")
    func plainWords() {
        for code in [5, 6, 8, 10, 11, 13, 14, 26, 261] as [Int32] {
            let text = Problem(SQLiteError(extendedCode: code, message: "database is locked", sql: "SELECT 1")).text
            #expect(!text.contains("SQLite error") && !text.contains("SELECT") && text.contains("(SQLite \(code))"))
        }
        let busy = Problem(SQLiteError(extendedCode: 5, message: "database is locked"))
        #expect(busy.status == .unavailable && busy.text.hasPrefix("Another program is writing the file"))
    }

    @Test("The path rows without an entity is the page of the entities, which has one title")
    func entities() async throws {
        let store = try BrowsedStore()
        let name = Markup.escaped(store.url.lastPathComponent)
        for path in ["rows", "entities", ""] {
            let page = await store.text(path)
            #expect(page.contains("<title>\(name)</title>"), "\(path)")
        }
        #expect((try await store.json("rows.json")["entities"] as? [Any])?.count == 6)
        #expect(await store.get("rows?where=x").status == .badRequest)
    }

    @Test(
        "A missing object is reported as JSON",
        arguments: [
            "nothing.json", "rows/Nobody.json", "object/Book/p999.json", "object/Book.json", "rows/Book/x.json",
            "history/999.json", "static/nothing.json", "rows/%ff.json", "model/x.json",
        ])
    func missing(path: String) async throws {
        let store = try BrowsedStore()
        let answer = await store.get(path)
        #expect(answer.status == .notFound)
        #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
        let fields = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect((fields["error"] as? String)?.isEmpty == false && (fields["text"] as? String)?.isEmpty == false)
    }

    @Test("Half of a condition is refused, as it would mean every row")
    func halfConditions() async throws {
        let store = try BrowsedStore()
        for half in ["leads=shelf", "to=Shelf%2Fp1", "of=Shelf%2Fp1", "through=books"] {
            #expect(await store.get("rows/Book.json?\(half)").status == .badRequest, "\(half)")
            #expect(try await store.json("plan.json?entity=Book&\(half)")["plan"] == nil, "\(half)")
        }
        #expect(await store.get("rows/Book.json?leads=shelf&to=Shelf%2Fp1").status == .ok)
    }

    @Test("Unknown parameters of an address are refused, above all those that select rows to delete")
    func unknownParameters() async throws {
        let store = try BrowsedStore()
        for path in [
            "plan.json?entity=Note&filter=x", "plan.json?entity=Note&where=%ff", "plan.json?entity=Note&page=2",
            "plan.json?entity=Note&entity=Label", "plan.json?entity=Note&object=Label%2Fp1", "plan.json?where=x",
            "rows/Book.json?page=abc", "rows/Book.json?size=0", "rows/Book.json?before=zzz", "rows/Book.json?filter=x",
            "rows/Book.json?sort=title%20foo", "history.json?before=zzz", "history.json?page=1", "entities.json?a=b",
            "object/Book/p1.json?a=b", "kept.json?a=b",
        ] {
            let answer = await store.get(path)
            #expect(answer.status == .badRequest, "\(path)")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("\"plan\""), "\(path)")
        }
        #expect(await store.get("plan.json?object=Note%2Fp1&object=Label%2Fp1").status == .ok)
    }

    @Test("A row is not found under another entity of its table, nor planned to be deleted")
    func ownEntity() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        #expect(await store.get("object/Atlas/p4.json").status == .ok)
        #expect(await store.get("object/Atlas/p1.json").status == .notFound)
        #expect(try await store.json("plan.json?object=Atlas%2Fp1")["plan"] == nil)
        let several = try await store.json("plan.json?object=Atlas%2Fp1&object=Note%2Fp1")
        #expect(several["deleted"] as? Int == 1)
    }

    @Test("A plan lists links that will dangle")
    func dangling() async throws {
        let store = try BrowsedStore()
        let plan = try await store.json("plan.json?object=Book%2Fp1")
        let links = try #require(plan["dangling"] as? [[String: Any]])
        #expect(links.map { $0["relationship"] as? String } == ["Note.about"])
        #expect(links.map { $0["count"] as? Int } == [1])
        #expect(links.map { $0["examples"] as? [String] } == [["Note/p1"]])
        let page = await store.text("plan?object=Book%2Fp1")
        let card = try #require(page.range(of: "Links that will dangle"))
        #expect(page[card.upperBound...].contains("about the first"))
        let both = try await store.json("plan.json?object=Book%2Fp1&object=Note%2Fp1")
        #expect((both["dangling"] as? [Any])?.isEmpty == true)
    }

    @Test("Long texts are truncated in pages, and complete in JSON")
    func longTexts() async throws {
        let store = try BrowsedStore()
        let long = String(repeating: "word ", count: 2_000)
        try execute(store, "UPDATE ZBOOK SET ZTITLE = '\(long)' WHERE Z_PK = 1")
        let page = await store.text("rows/Book")
        #expect(page.contains("word word") && !page.contains(long) && page.contains("…"))
        #expect(try await store.rows("Book").contains { $0.contains(long) })
    }

    @Test("A store opened through a link is the file itself")
    func links() async throws {
        let store = try BrowsedStore()
        let link = store.folder.appendingPathComponent("link.store")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.url)
        try await store.restart { $0.file = link }
        #expect(store.site.source.url.path == store.url.resolvingSymlinksInPath().path)
        let before = try await store.rows("Book").count
        try execute(store, "DELETE FROM ZBOOK WHERE Z_PK = 1")
        #expect(try await store.rows("Book").count == before - 1)
    }

    @Test("A delete without an archive offers no undo when it is resumed")
    func forever() async throws {
        let store = try BrowsedStore(books: 60)
        do {
            let inspected = try await store.site.source.readSession { $0.store.model }
            let writer = try SQLiteStore(model: inspected, location: .file(store.url))
            var options = DeleteJobOptions()
            options.budget.rows = 5
            let shelf = try #require(inspected.entity(named: "Shelf"))
            let job = try writer.startJob(DeleteRequest(.matching(Query(entityIndex: shelf.index))), options)
            _ = try job.step()
        }
        try await store.restart {
            $0.mayWrite = true
            $0.makesBackup = false
            $0.writesBesideOthers = true
        }
        #expect(await store.post("resume").status == .seeOther)
        await store.site.operation.waitUntilFinished()
        let status = try #require(store.site.operation.status)
        #expect(status.phase == .deleted, "\(status.problem ?? "")")
        #expect(status.token == nil && !status.mayUndo && !status.text.contains("kept"))
        #expect(await store.post("undo").status == .conflict)
    }

    @Test("A delete in steps is restored completely or not at all")
    func conflicts() async throws {
        let store = try BrowsedStore(books: 60) {
            $0.mayWrite = true
            $0.rowsPerStep = 5
            $0.makesBackup = false
        }
        _ = try await store.delete("entity=Shelf")
        await store.site.operation.waitUntilFinished()
        #expect(store.site.operation.status?.phase == .deleted)
        #expect(try await store.rows("Book").isEmpty)
        let kept = try await store.site.source.readSession { try $0.store.archivedDeletes() }
        #expect(kept.count > 2)
        // Another row takes the place of one book.
        try execute(
            store,
            "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZISLENT) "
                + "SELECT value, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'), 1, 'new', 1, 0 "
                + "FROM json_each('[1]')")
        #expect(await store.post("undo").status == .seeOther)
        await store.site.operation.waitUntilFinished()
        let status = try #require(store.site.operation.status)
        #expect(status.problem != nil && status.phase == .deleted)
        #expect(try await store.rows("Book").count == 1)
        #expect(try await store.rows("Shelf").isEmpty)
        try await checkObstacles(store, buttons: ["data-action=\"undo\""])
        // The same from the list of deletes.
        #expect(await store.post("dismiss").status == .seeOther)
        let token = try #require(status.token?.description)
        for _ in 1...2 {
            #expect(await store.post("restore", "token=\(token)").status == .seeOther)
            await store.site.operation.waitUntilFinished()
            #expect(store.site.operation.status?.phase == .failed)
            #expect(await store.text("work").contains("Not restored: 45 Book, 15 Atlas and 3 Shelf rows"))
            try await checkObstacles(store, buttons: ["data-action=\"restore\"", "value=\"\(token)\""])
        }
        try execute(store, "DELETE FROM ZBOOK")
        #expect(await store.post("restore", "token=\(token)").status == .seeOther)
        await store.site.operation.waitUntilFinished()
        let end = try #require(store.site.operation.status)
        #expect(end.phase == .restored && end.obstacles == nil, "\(end.problem ?? "")")
    }

    /// One book conflicts with another.
    private func checkObstacles(_ store: BrowsedStore, buttons: [String]) async throws {
        let page = await store.text("work")
        #expect(page.contains("One row or link does not fit into the file as it is now."))
        #expect(page.contains("<h2>What prevents it</h2>") && page.contains("Another row has the place of this Book"))
        #expect(page.contains("href=\"/\(BrowsedStore.token)/object/Book/p1\" title=\"Book/p1\"><bdi>new</bdi>"))
        #expect(!page.contains("x-coredata") && !page.contains("skip it"))
        for button in buttons + ["/kept\">Deletes</a>"] { #expect(page.contains(button), "\(button)") }
        let obstacles = try await store.json("work.json")["obstacles"] as? [[String: Any]]
        #expect(obstacles?.first?["examples"] as? [String] == ["Book/p1"] && obstacles?.first?["count"] as? Int == 1)
    }
}
