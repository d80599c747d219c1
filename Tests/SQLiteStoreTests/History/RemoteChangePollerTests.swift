import Foundation
import ObjectGraph
import Synchronization
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Detecting saves of others", .timeLimit(.minutes(1)))
struct RemoteChangePollerTests {
    private typealias Report = Result<SavedChanges, any Error>

    private func other(_ zoo: ZooStore) throws -> SQLiteStore {
        try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)))
    }

    @discardableResult
    private func insertTag(_ zoo: ZooStore, _ store: SQLiteStore) throws -> ObjectID? {
        var changes = ChangeSet()
        changes.insertions = [try zoo.insertion("Tag", [:])]
        guard case .saved(let rows) = try store.save(changes) else { return nil }
        return rows.inserted.first?.id
    }

    @Test("saves of others are reported within the interval, each once, own ones never")
    func reporting() async throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        let (stream, continuation) = AsyncStream.makeStream(of: [ObjectID].self)
        let poller = RemoteChangePoller(zoo.store, interval: 0.01) { result in
            continuation.yield((try? result.get().inserted) ?? [])
        }
        var all = stream.makeAsyncIterator()
        try zoo.insert("Tag", [:])
        let first = try insertTag(zoo, other)
        #expect(await all.next() == [first].compactMap { $0 })
        try zoo.insert("Tag", [:])
        let second = try insertTag(zoo, other)
        #expect(await all.next() == [second].compactMap { $0 })
        _ = poller
    }

    @Test("a check on request reports at once, on the caller's thread")
    func onRequest() throws {
        let zoo = try ZooStore(.file)
        let other = try other(zoo)
        let count = Atomic<Int>(0)
        let poller = RemoteChangePoller(zoo.store, interval: 3600) { (_: Report) in count.add(1, ordering: .relaxed) }
        poller.pollNow()
        #expect(count.load(ordering: .relaxed) == 0)
        try insertTag(zoo, other)
        poller.pollNow()
        poller.pollNow()
        #expect(count.load(ordering: .relaxed) == 1)
    }

    @Test("the detector keeps neither its store nor itself alive")
    func letsGo() throws {
        var zoo: ZooStore? = try ZooStore(.file)
        weak let store = zoo?.store
        let poller = RemoteChangePoller(try #require(store), interval: 3600) { (_: Report) in }
        zoo = nil
        #expect(store == nil)
        poller.pollNow()
        weak var gone: RemoteChangePoller?
        do {
            let zoo = try ZooStore(.file)
            let brief = RemoteChangePoller(zoo.store, interval: 0.01) { (_: Report) in }
            gone = brief
            #expect(gone != nil)
        }
        #expect(gone == nil)
    }

    @Test("another process's saves are detected", .enabled(if: CrashChild.exists))
    func anotherProcess() async throws {
        let child = try CrashChild()
        defer { child.remove() }
        let folder = child.folder("template")
        try #expect(child.run("make", folder, "1", "1").status == .exited(0))
        let url = URL(fileURLWithPath: folder).appendingPathComponent("crash.store")
        let model = try #require(try CompiledModel(storeAt: url)).model
        var options = SQLiteStore.Options()
        options.hashes = .areNotAsked
        let store = try SQLiteStore(model: model, location: .file(url), options: options)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let poller = RemoteChangePoller(store, interval: 0.01) { result in
            continuation.yield((try? result.get().inserted.count) ?? -1)
        }
        #expect(try child.run("insert", folder, "3", "neighbour").status == .exited(0))
        var count = 0
        for await inserted in stream {
            count += inserted
            if inserted < 0 || count >= 3 { break }
        }
        #expect(count == 3)
        #expect(try store.wholeHistory(HistoryQuery(where: .text(.author, is: "neighbour"))).count == 3)
        _ = poller
    }
}
