import Dispatch
import Foundation
import Testing

@testable import SQLiteStore
@testable import StoreBrowser

/// The browser before the file is changed for the first time.
@Suite("Backups in the browser", .timeLimit(.minutes(2)))
struct BackupTests {
    /// Blocks the thread that makes a backup after each piece, until it is released.
    private struct Hold {
        private let pieces: AsyncStream<Void>
        private let gate = DispatchSemaphore(value: 0)
        private let operation: StoreOperation

        init(_ store: BrowsedStore) {
            let (pieces, continuation) = AsyncStream<Void>.makeStream()
            (self.pieces, operation) = (pieces, store.site.operation)
            operation.afterEachPiece { [gate] in
                continuation.yield()
                gate.wait()
            }
        }

        /// Waits until the backup has begun, and is blocked.
        func reached() async {
            var pieces = pieces.makeAsyncIterator()
            await pieces.next()
            gate.signal()
            await pieces.next()
        }

        func letGo() {
            operation.afterEachPiece {}
            for _ in 0..<100 { gate.signal() }
        }
    }

    private func phase(_ store: BrowsedStore) async throws -> String? {
        await store.site.operation.waitUntilFinished()
        return try await store.json("work.json")["phase"] as? String
    }

    private func plan(_ store: BrowsedStore, _ query: String) async throws -> String {
        try await store.json("plan.json?\(query)")["plan"] as? String ?? "none"
    }

    @Test("During a backup all pages respond, show it, and can stop it; the plan can be tried again")
    func answering() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let before = store.files
        let hold = Hold(store)
        _ = try await store.delete("object=Label%2Fp1")
        await hold.reached()
        for path in ["rows/Book", "entities", "object/Shelf/p1", "history", "kept", "plan?entity=Note", "nothing"] {
            let answer = await store.get(path)
            #expect(answer.status == (path == "nothing" ? .notFound : .ok), "\(path)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Making a backup first"), "\(path)")
        }
        let page = await store.text("work")
        #expect(page.contains("Making a backup first") && page.contains("data-action=\"stop\""))
        #expect(await store.post("stop").status == .seeOther)
        hold.letGo()
        #expect(try await phase(store) == "stopped")
        #expect(store.files == before)
        let status = try await store.json("work.json")
        #expect(status["mayResume"] as? Bool == false && status["mayUndo"] as? Bool == false)
        #expect(await store.text("work").contains("Try again"))
        #expect(await store.post("delete", "plan=\(status["plan"] as? String ?? "none")").status == .seeOther)
        #expect(try await phase(store) == "deleted")
        #expect(store.backups.count == 1)
        #expect(try await store.rows("Label").count == 2)
    }

    @Test("The end of the program ends a backup")
    func ending() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let before = store.files
        let hold = Hold(store)
        _ = try await store.delete("object=Label%2Fp1")
        await hold.reached()
        store.site.end()
        hold.letGo()
        await store.site.operation.waitUntilFinished()
        #expect(store.files == before)
        #expect(await store.get("rows/Book").status == .unavailable)
    }

    @Test("A delete in steps that was stopped before its first step cannot be resumed")
    func nothingToResume() async throws {
        let store = try BrowsedStore(books: 60) {
            $0.mayWrite = true
            $0.rowsPerStep = 5
        }
        let hold = Hold(store)
        _ = try await store.delete("entity=Shelf")
        await hold.reached()
        #expect(await store.post("stop").status == .seeOther)
        hold.letGo()
        #expect(try await phase(store) == "stopped")
        let page = await store.text("work")
        #expect(!page.contains("Resume") && page.contains("Try again") && page.contains("The file is as it was."))
        #expect(page.contains("Stopped. Not deleted: 3 Shelf rows and"))
        #expect(await store.post("resume").status == .conflict)
        let again = try await store.json("work.json")["plan"] as? String ?? "none"
        #expect(await store.post("delete", "plan=\(again)").status == .seeOther)
        #expect(try await phase(store) == "deleted")
        #expect(try await store.rows("Book").isEmpty)
    }

    /// With a delete that was stopped after its first step, as found by the next run.
    private func stopped() async throws -> BrowsedStore {
        let store = try BrowsedStore(books: 60) {
            $0.mayWrite = true
            $0.rowsPerStep = 5
            $0.makesBackup = false
        }
        store.site.operation.afterEachStep { [operation = store.site.operation] in operation.stop() }
        _ = try await store.delete("entity=Book")
        #expect(try await phase(store) == "stopped")
        store.site.operation.afterEachStep {}
        try await store.restart { $0.mayWrite = true }
        return store
    }

    @Test("An undo that is stopped during its backup leaves the stopped delete unchanged")
    func stoppedUndo() async throws {
        let store = try await stopped()
        let page = await store.text("work")
        #expect(page.contains("Resume") && page.contains("Undo"))
        let before = await store.text("work.json")
        let hold = Hold(store)
        #expect(await store.post("undo").status == .seeOther)
        await hold.reached()
        #expect(await store.post("stop").status == .seeOther)
        hold.letGo()
        #expect(try await phase(store) == "stopped")
        #expect(await store.text("work.json") == before)
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "restored")
        #expect(try await store.rows("Book").count == 60)
    }

    #if os(Linux)
    /// Like another process that has the file open.
    private func open(_ store: BrowsedStore) throws -> OpenDescriptor {
        let other = try #require(OpenDescriptor(reading: store.url))
        #expect(FileLocks(other.number).holdForReading(FileLocks.Range.shared))
        return other
    }

    @Test("A plan that failed because the file was in use can be tried again, if the store is unchanged")
    func inUse() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let plan = try await plan(store, "object=Label%2Fp1")
        var other: OpenDescriptor? = try open(store)
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "failed")
        let page = await store.text("work")
        #expect(page.contains("Another process") && page.contains("Try again") && page.contains(plan))
        other = nil
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "deleted")
        #expect(try await store.rows("Label").count == 2)
        withExtendedLifetime(other) {}
    }

    @Test("A plan that failed because the file was in use must be made again if the store changed")
    func inUseThenMoved() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let plan = try await plan(store, "object=Shelf%2Fp1")
        var other: OpenDescriptor? = try open(store)
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "failed")
        other = nil
        try Connection(.file(store.url), access: .readWrite).execute("UPDATE ZBOOK SET ZSHELF = 1 WHERE Z_PK = 1")
        let left = try await store.rows("Book").count
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "failed")
        #expect(await store.text("work").contains("Make the plan again"))
        #expect(await store.text("work").contains("Try again") == false)
        #expect(await store.post("delete", "plan=\(plan)").status == .conflict)
        #expect(try await store.rows("Book").count == left)
        withExtendedLifetime(other) {}
    }

    @Test("A stopped delete that cannot be abandoned now shows the reason, and can be abandoned later")
    func leftLater() async throws {
        let store = try await stopped()
        var other: OpenDescriptor? = try open(store)
        let answer = await store.post("dismiss")
        #expect(answer.headers["location"] == "/\(BrowsedStore.token)/work")
        #expect(try await phase(store) == "stopped")
        let page = await store.text("work")
        #expect(page.contains("Another process") && page.contains("Keep as is") && page.contains("Resume"))
        other = nil
        #expect(await store.post("dismiss").status == .seeOther)
        #expect(try await phase(store) == "dropped")
        #expect(await store.post("resume").status == .conflict)
        #expect(try await store.site.source.readSession { try $0.store.jobs() }.isEmpty)
        #expect(await store.post("dismiss").headers["location"] == "/\(BrowsedStore.token)/entities")
        #expect(store.site.operation.status == nil)
        withExtendedLifetime(other) {}
    }
    #endif
}
