import Dispatch
import Foundation
import Testing

@testable import StoreBrowser

@Suite("Deleting in the browser")
struct OperationTests {
    private func phase(_ store: BrowsedStore) async throws -> String? {
        await store.site.operation.waitUntilFinished()
        return try await store.json("work.json")["phase"] as? String
    }

    /// With a delete of all rows of an entity that was stopped after its first step, and the former books.
    private func stopped(_ entity: String, backup: Bool) async throws -> (store: BrowsedStore, before: [String]) {
        let store = try BrowsedStore(books: 600) {
            $0.mayWrite = true
            $0.rowsPerStep = 20
            $0.makesBackup = backup
        }
        let before = try await store.rows("Book")
        stopAfterOneStep(store)
        _ = try await store.delete("entity=\(entity)")
        #expect(try await phase(store) == "stopped")
        return (store, before)
    }

    @Test("A confirmed plan is executed after a backup, and can be undone")
    func deleteAndUndo() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let before = (try await store.rows("Shelf"), try await store.rows("Book"))
        let answer = try await store.delete("object=Shelf%2Fp3")
        #expect(answer.status == .seeOther && answer.headers["location"] == "/\(BrowsedStore.token)/work")
        #expect(try await phase(store) == "deleted")
        #expect(try await store.rows("Shelf").count == 2)
        #expect(try await store.rows("Book").count == 8)
        #expect(store.backups.count == 1)
        #expect(await store.text("work").contains("Undo"))
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "restored")
        #expect(try await store.rows("Shelf") == before.0)
        #expect(try await store.rows("Book") == before.1)
        #expect(store.backups.count == 1)
        // Sent once more, in another tab.
        #expect(await store.post("undo").headers["location"] == "/\(BrowsedStore.token)/work")
        #expect(try await phase(store) == "restored")
    }

    @Test("A long delete runs in steps; stopped, it is resumed or undone, and nothing is lost")
    func steps() async throws {
        let (store, before) = try await stopped("Shelf", backup: false)
        let left = try await store.rows("Book").count
        #expect(left > 0 && left < 600)
        store.site.operation.afterEachStep {}
        #expect(await store.post("resume").status == .seeOther)
        #expect(try await phase(store) == "deleted")
        #expect(try await store.rows("Book").isEmpty)
        #expect(try await store.rows("Shelf").isEmpty)
        #expect(try await store.json("kept.json").isEmpty == false)
        #expect(await store.post("undo").status == .seeOther)
        let end = try await phase(store)
        #expect(end == "restored", "\(store.site.operation.status?.problem ?? "")")
        #expect(try await store.rows("Book") == before)
        #expect(try await store.rows("Shelf").count == 3)
        #expect(store.backups.isEmpty)
        #expect(await store.post("dismiss").status == .seeOther)
        #expect(store.site.operation.status == nil)
    }

    @Test("A delete stopped part way can be undone as well")
    func undoStopped() async throws {
        let (store, before) = try await stopped("Book", backup: true)
        let page = await store.text("work")
        #expect(page.contains("Stopped part way: ") && page.contains("450 Book") && page.contains("150 Atlas"))
        let left = try await store.rows("Book").count
        #expect(left > 0 && left < 600)
        _ = await store.post("undo")
        #expect(try await phase(store) == "restored")
        #expect(try await store.rows("Book") == before)
        #expect(await store.post("resume").status == .conflict)
    }

    @Test("A delete stopped by the end of the program is found by the next run")
    func takenUp() async throws {
        let (store, before) = try await stopped("Book", backup: true)
        try await store.restart { $0.mayWrite = true }
        #expect(try await store.json("work.json")["mayResume"] as? Bool == true)
        // The author of the delete is not known any more; the deleted rows are.
        let text = try #require(store.site.operation.status?.text)
        #expect(text.contains(" deleted: ") && text.contains(" Book"), "\(text)")
        let left = try await store.rows("Book").count
        #expect(left > 0 && left < 600)
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "restored", "\(store.site.operation.status?.problem ?? "")")
        #expect(try await store.rows("Book") == before)
        try await store.restart { $0.mayWrite = true }
        #expect(store.site.operation.status == nil)
    }

    @Test("An undo can be stopped between two of its steps, and the rest restored later")
    func stoppedUndo() async throws {
        let (store, before) = try await stopped("Shelf", backup: false)
        store.site.operation.afterEachStep {}
        #expect(await store.post("resume").status == .seeOther)
        #expect(try await phase(store) == "deleted")
        store.site.operation.afterEachStepBack { [operation = store.site.operation] in
            #expect(operation.status?.mayStop == true)
            // The distribution of rows among steps depends on the machine: more than the three shelves includes some books.
            guard operation.status?.done ?? 0 > 3 else { return }
            operation.stop()
            #expect(operation.status?.phase == .stopping)
        }
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "stopped")
        let back = try await store.rows("Book").count
        #expect(back > 0 && back < 600)
        let page = await store.text("work")
        #expect(page.contains("Partly restored") && page.contains("Restore the rest") && !page.contains("Resume"))
        store.site.operation.afterEachStepBack {}
        #expect(await store.post("undo").status == .seeOther)
        #expect(try await phase(store) == "restored", "\(store.site.operation.status?.problem ?? "")")
        #expect(try await store.rows("Book") == before)
    }

    @Test("A button of an outdated page shows the current state, and does not affect another operation")
    func behind() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let plan = try await store.json("plan.json?object=Label%2Fp1")["plan"] as? String ?? ""
        for _ in 1...2 {
            let answer = await store.post("delete", "plan=\(plan)")
            #expect(answer.headers["location"] == "/\(BrowsedStore.token)/work")
            await store.site.operation.waitUntilFinished()
        }
        #expect(try await store.rows("Label").count == 2)
        let own = try #require(store.site.operation.status?.id.uuidString)
        #expect(await store.text("work").contains("value=\"\(own)\""))
        for action in ["undo", "resume"] {
            let answer = await store.post(action, "work=\(UUID().uuidString)")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == .conflict && text.contains("This was already done"), "\(action)")
            #expect(text.contains("href=\"/\(BrowsedStore.token)/work\">Show its state"), "\(action)")
        }
        #expect(await store.post("dismiss", "work=\(UUID().uuidString)").status == .seeOther)
        #expect(store.site.operation.status?.phase == .deleted)
        for _ in 1...2 {
            let done = await store.post("dismiss", "work=\(own)")
            #expect(done.headers["location"] == "/\(BrowsedStore.token)/entities")
        }
        #expect(await store.post("undo", "work=\(own)").status == .conflict)
    }

    private func stopAfterOneStep(_ store: BrowsedStore) {
        store.site.operation.afterEachStep { [operation = store.site.operation] in operation.stop() }
    }

    @Test("During an operation no other one begins; Stop is answered at once")
    func busy() async throws {
        let store = try BrowsedStore(books: 600) {
            $0.mayWrite = true
            $0.rowsPerStep = 20
        }
        let (first, second) = (
            try await store.json("plan.json?entity=Book")["plan"] as? String ?? "",
            try await store.json("plan.json?object=Label%2Fp1")["plan"] as? String ?? ""
        )
        let gate = DispatchSemaphore(value: 0)
        store.site.operation.afterEachStep { gate.wait() }
        #expect(await store.post("delete", "plan=\(first)").status == .seeOther)
        #expect(await store.post("delete", "plan=\(second)").status == .conflict)
        #expect(await store.text("entities").contains("work-bar"))
        #expect(await store.post("dismiss").status == .conflict)
        #expect(await store.post("stop").status == .seeOther)
        for _ in 0..<100 { gate.signal() }
        #expect(try await phase(store) == "stopped")
        #expect(try await store.rows("Label").count == 3)
    }

    @Test("Rows that other programs changed after the plan was shown are not deleted by it")
    func moved() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let plan = try await store.json("plan.json?entity=Book")["plan"] as? String ?? ""
        _ = try await store.delete("object=Book%2Fp5")
        #expect(try await phase(store) == "deleted")
        let before = try await store.rows("Book")
        #expect(await store.post("delete", "plan=\(plan)").status == .seeOther)
        #expect(try await phase(store) == "failed")
        #expect(try await store.rows("Book") == before)
        #expect(await store.text("work").contains("plan?entity=Book\">Make the plan again</a>"))
        // A plan can be executed once.
        #expect(await store.post("delete", "plan=\(plan)").status == .conflict)
    }

    @Test("A refused plan names the refusing rows, and cannot be confirmed")
    func refused() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        let twin = try await store.json("plan.json?entity=Reader")
        #expect(twin["possible"] as? Bool == false && twin["plan"] == nil)
        let page = await store.text("plan?entity=Reader")
        #expect(page.contains("The model refuses this delete.") && page.contains("plan-box blocks"))
        #expect(page.contains("Book 1") && !page.contains("method=\"post\""))
    }

    @Test("Archived deletes are listed, and restored by token")
    func kept() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        _ = try await store.delete("object=Label%2Fp1")
        #expect(try await phase(store) == "deleted")
        let deletes = try await store.json("kept.json")["deletes"] as? [[String: Any]]
        let token = try #require(deletes?.first?["token"] as? String)
        #expect(await store.text("kept").contains(token))
        #expect(await store.post("restore", "token=\(token)").status == .seeOther)
        #expect(try await phase(store) == "restored")
        #expect(try await store.rows("Label").count == 3)
        #expect(await store.post("restore", "token=\(token)").status == .notFound)
    }

    @Test("An archived delete can be discarded, and not be restored then")
    func forget() async throws {
        let store = try BrowsedStore { $0.mayWrite = true }
        _ = try await store.delete("object=Label%2Fp1")
        #expect(try await phase(store) == "deleted")
        let deletes = try await store.json("kept.json")["deletes"] as? [[String: Any]]
        let token = try #require(deletes?.first?["token"] as? String)
        #expect(await store.text("kept").contains("Discard permanently"))
        #expect(await store.post("forget", "token=\(token)").status == .seeOther)
        #expect(try await phase(store) == "forgotten")
        #expect((try await store.json("kept.json")["deletes"] as? [Any])?.isEmpty == true)
        #expect(await store.post("restore", "token=\(token)").status == .notFound)
        #expect(await store.post("undo").status == .conflict)
        #expect(try await store.rows("Label").count == 2)
    }

    @Test("Listeners receive the progress of an operation, and its end")
    func events() async throws {
        let store = try BrowsedStore(books: 600) {
            $0.mayWrite = true
            $0.rowsPerStep = 20
            $0.makesBackup = false
        }
        let answer = await store.get("work.events")
        #expect(answer.headers["content-type"] == "text/event-stream")
        for await _ in try #require(answer.stream) { Issue.record("Nothing is under way.") }
        let gate = DispatchSemaphore(value: 0)
        store.site.operation.afterEachStep { gate.wait() }
        _ = try await store.delete("entity=Book")
        let stream = try #require(await store.get("work.events").stream)
        var seen: [OperationStatus] = []
        for await status in stream {
            seen.append(status)
            gate.signal()
        }
        #expect(seen.first?.isUnderWay == true && seen.last?.phase == .deleted)
        #expect(seen.map(\.done) == seen.map(\.done).sorted() && seen.count > 3)
        let again = await store.get("work.events")
        var last: [OperationStatus.Phase] = []
        for await status in try #require(again.stream) { last.append(status.phase) }
        #expect(last == [.deleted])
    }
}
