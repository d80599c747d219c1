import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore
@testable import StoreBrowser

/// Pages about a file that other programs write, and about deletes that they left unfinished.
@Suite("States of a browsed store")
struct StoreStateTests {
    private func execute(_ store: BrowsedStore, _ statement: String) throws {
        let connection = try Connection(.file(store.url), access: .readWrite)
        try connection.execute(statement)
    }

    private func phase(_ store: BrowsedStore) async throws -> String? {
        await store.site.operation.waitUntilFinished()
        return try await store.json("work.json")["phase"] as? String
    }

    @Test("Only the page of the entities counts rows; its counts are shown until another program writes")
    func counts() async throws {
        let store = try BrowsedStore()
        let mark = "data-counts=\"/\(BrowsedStore.token)/entities.json\""
        func count(_ number: String) -> String { "data-entity=\"Note\">\(number)</span>" }
        let first = await store.text("rows/Book")
        #expect(first.contains(mark) && first.contains(count("")))
        let entities = await store.text("entities")
        #expect(!entities.contains(mark) && entities.contains(count("1")))
        let second = await store.text("rows/Book")
        #expect(!second.contains(mark) && second.contains(count("1")))
        try execute(store, "DELETE FROM ZNOTE")
        let third = await store.text("rows/Book")
        #expect(third.contains(mark) && third.contains(count("1")))
        let listed = try await store.json("entities.json")["entities"] as? [[String: Any]] ?? []
        #expect(listed.first { $0["name"] as? String == "Note" }?["rows"] as? Int == 0)
        let fourth = await store.text("rows/Book")
        #expect(!fourth.contains(mark) && fourth.contains(count("0")))
    }

    @Test("Rows of a known state are counted once, those of a state without reliable detection of changes every time")
    func countedOnce() {
        let counts = RowCounts()
        let (first, second) = (UUID(), UUID())
        var asked = 0
        func values(_ state: RowCounts.State?) -> [Int] {
            counts.values(in: state) { _ in
                asked += 1
                return [asked]
            }
        }
        #expect(values(.opening(first)) == [1] && values(.opening(first)) == [1])
        #expect(values(.opening(second)) == [2] && values(.stamps([])) == [3] && values(.stamps([])) == [3])
        #expect(values(nil) == [4] && values(nil) == [5])
        #expect(counts.latest(in: nil)?.isCurrent == false && counts.latest(in: .stamps([]))?.values == [5])
    }

    #if os(Linux)
    @Test("A response about a file in use is of one state, despite concurrent writes")
    func oneState() async throws {
        let store = try BrowsedStore()
        let other = try #require(OpenDescriptor(reading: store.url))
        #expect(FileLocks(other.number).holdForReading(FileLocks.Range.shared))
        // So that it is opened again.
        try execute(store, "UPDATE ZNOTE SET ZTEXT = 'x'")
        let url = store.url
        let (before, after) = try await store.site.source.readSession { look in
            let before = try look.store.ownRowCounts()
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute("DELETE FROM ZNOTE")
            return (before, try look.rowCounts())
        }
        #expect(before == after && before.contains(1))
        withExtendedLifetime(other) {}
    }
    #endif

    @Test(
        "A cancelled read is stopped; other requests are answered meanwhile", .timeLimit(.minutes(1)))
    func withdrawn() async throws {
        let store = try BrowsedStore()
        let (began, continuation) = AsyncStream<Void>.makeStream()
        let endless = Task { [source = store.site.source] in
            try await source.readSession { look in
                continuation.yield()
                try look.store.pool.withReader { connection in
                    let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n"
                    try connection.withStatement(numbers) { _ = try $0.step() }
                }
            }
        }
        for await _ in began.prefix(1) {}
        #expect(await store.get("rows/Book").status == .ok)
        endless.cancel()
        await #expect(throws: (any Error).self) { try await endless.value }
    }

    @Test("The file is open for writing only during a change; one backup is made for each file")
    func closedAgain() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let log = URL(fileURLWithPath: store.url.path + "-wal")
        for label in 1...2 {
            _ = try await store.delete("object=Label%2Fp\(label)")
            #expect(try await phase(store) == "deleted")
            #expect(!FileManager.default.fileExists(atPath: log.path))
            #expect(try await store.rows("Label").count == 3 - label)
            #expect(store.backups.count == 1)
        }
        // Another file takes its place.
        let backup = store.folder.appendingPathComponent(try #require(store.backups.first))
        try FileManager.default.removeItem(at: store.url)
        try FileManager.default.copyItem(at: backup, to: store.url)
        #expect(try await store.rows("Label").count == 3)
        _ = try await store.delete("object=Label%2Fp3")
        #expect(try await phase(store) == "deleted")
        #expect(try await store.rows("Label").count == 2)
        #expect(store.backups.count == 2)
        #expect(await store.text("rows/Book").contains("data-entity=\"Label\">3</span>") == false)
        try FileManager.default.removeItem(at: store.url)
        #expect(await store.get("rows/Label").status == .unavailable)
    }

    /// With two deletes that another program began and left unfinished.
    private func left() async throws -> BrowsedStore {
        let store = try BrowsedStore(books: 60)
        do {
            let model = try await store.site.source.readSession { $0.store.model }
            let writer = try SQLiteStore(model: model, location: .file(store.url))
            var options = DeleteJobOptions()
            options.budget.rows = 5
            options.keeping = .everyChunk
            for name in ["Book", "Label"] {
                let entity = try #require(model.entity(named: name))
                let job = try writer.startJob(DeleteRequest(.matching(Query(entityIndex: entity.index))), options)
                if name == "Book" { _ = try job.step() }
            }
        }
        try await store.restart {
            $0.mayWrite = true
            $0.makesBackup = false
            $0.writesBesideOthers = true
        }
        return store
    }

    @Test("No other change begins until a stopped delete is resolved; then the next one is shown")
    func decided() async throws {
        let store = try await left()
        #expect(try await phase(store) == "stopped")
        let plan = try await store.json("plan.json?object=Note%2Fp1")["plan"] as? String ?? "none"
        #expect(await store.post("delete", "plan=\(plan)").status == .conflict)
        let deletes = try await store.json("kept.json")["deletes"] as? [[String: Any]]
        let token = try #require(deletes?.first?["token"] as? String)
        for action in ["restore", "forget"] {
            #expect(await store.post(action, "token=\(token)").status == .conflict, "\(action)")
        }
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "restored")
        #expect(try await store.rows("Book").count == 60)
        #expect(await store.post("dismiss").status == .seeOther)
        #expect(try await phase(store) == "stopped")
        #expect(await store.post("dismiss").status == .seeOther)
        #expect(try await phase(store) == "dropped")
        #expect(try await store.site.source.readSession { try $0.store.jobs() }.isEmpty)
        // The refused plan can still be executed.
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "deleted")
    }

    @Test("A delete in steps is discarded as a whole")
    func forgottenInSteps() async throws {
        let store = try BrowsedStore(books: 60) {
            $0.mayWrite = true
            $0.rowsPerStep = 5
            $0.makesBackup = false
        }
        _ = try await store.delete("entity=Shelf")
        #expect(try await phase(store) == "deleted")
        let deletes = try await store.json("kept.json")["deletes"] as? [[String: Any]]
        let (token, rows) = (deletes?.first?["token"] as? String ?? "", deletes?.first?["rows"] as? Int)
        #expect(deletes?.first?["steps"] as? Int ?? 0 > 2)
        #expect(await store.post("forget", "token=\(token)").status == .seeOther)
        #expect(try await phase(store) == "forgotten")
        #expect(store.site.operation.status?.done == rows)
        #expect(try await store.site.source.readSession { try $0.store.archivedDeletes() }.isEmpty)
    }
}
