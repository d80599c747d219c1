import ObjectGraph
import Testing

@testable import MemoryStore

@Suite("The memory store")
struct MemoryStoreTests {
    private let store: MemoryStore

    init() throws {
        var note = EntityDescription("Note")
        note.attributes = [Attribute("text", .string, optional: true)]
        store = try MemoryStore(model: try Model([note]))
    }

    private struct Refusal: Error {}

    private func insertion(_ text: String) -> ChangeSet {
        var changes = ChangeSet()
        changes.insertions = [.init(id: .temporary(entityName: "Note"), entityIndex: 0, values: [.text(text)])]
        return changes
    }

    private var texts: [Value] { get throws { try store.fetch(Query(entityIndex: 0)).compactMap(\.values.first) } }

    @Test("a save that is refused before its commit changes nothing")
    func refusedCommit() throws {
        _ = try store.save(insertion("first"))
        let token = try store.historyToken()
        #expect(throws: Refusal.self) { try store.save(insertion("second")) { throw Refusal() } }
        #expect(try texts == [.text("first")])
        #expect(try store.historyToken() == token)
        #expect(try store.commitMarker() == CommitMarker(ownWrites: 1, othersVersion: 0))
    }

    @Test("readers see the store unchanged until the commit")
    func isolation() throws {
        _ = try store.save(insertion("first"))
        _ = try store.save(insertion("second")) {
            let seen = try texts
            #expect(seen == [.text("first")])
        }
        #expect(try texts == [.text("first"), .text("second")])
    }

    @Test("a write within a transaction makes the transaction fail")
    func nestedWrite() throws {
        #expect(throws: MemoryStoreError.busy) {
            try store.save(insertion("outer")) { _ = try store.save(insertion("inner")) }
        }
        #expect(try texts == [.text("inner")])
    }

    @Test("a new row cannot have the identity of an existing one")
    func keyInUse() throws {
        guard case .saved(let saved) = try store.save(insertion("first")), let id = saved.inserted.first?.id else {
            Issue.record("nothing was inserted")
            return
        }
        var changes = insertion("second")
        changes.insertions[0].id = id
        #expect(throws: MemoryStoreError.keyInUse(id)) { try store.save(changes) }
        #expect(try texts == [.text("first")])
    }

    private final class Recorder: DeleteObserver {
        private let pages = Locked<[RowSet]>([])
        private let results = Locked<[DeletePlan]>([])
        let refuses: Bool

        init(refuses: Bool = false) { self.refuses = refuses }

        var announced: [RowSet] { pages.withLock { $0 } }
        var committed: [DeletePlan] { results.withLock { $0 } }

        func willCommit(_ page: RowSet) throws {
            pages.withLock { $0.append(page) }
            if refuses { throw Refusal() }
        }
        func didCommit(_ result: SavedRows) { results.withLock { $0.append(result.plan) } }
    }

    @Test("an observer is notified of rows before their deletion is committed, and can prevent it")
    func observers() throws {
        _ = try store.save(insertion("first"))
        let rows = RowSet(try store.fetchIDs(Query(entityIndex: 0)))
        var request = DeleteRequest(.everything)
        let refusing = Recorder(refuses: true)
        request.observer = refusing
        let refused = request
        #expect(throws: Refusal.self) { try store.delete(refused) }
        #expect(refusing.announced == [rows] && refusing.committed.isEmpty)
        #expect(try texts == [.text("first")])

        let recorder = Recorder()
        request.observer = recorder
        let result = try store.delete(request)
        #expect(recorder.announced == [rows] && recorder.committed == [result.plan])
        #expect(try texts.isEmpty)
    }

    @Test("an outdated plan is not executed")
    func movedPlan() throws {
        _ = try store.save(insertion("first"))
        let request = DeleteRequest(.everything)
        let plan = try store.plan(request)
        _ = try store.save(insertion("second"))
        #expect(throws: DeleteError.storeMoved) { try store.execute(plan, of: request) }
        #expect(try texts.count == 2)
    }
}
