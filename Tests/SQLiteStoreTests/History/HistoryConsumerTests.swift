import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Consumers of history")
struct HistoryConsumerTests {
    private struct Stop: Error {}

    private func save(_ zoo: ZooStore, _ authors: String...) throws {
        for author in authors {
            try zoo.save {
                $0.author = author
                $0.insertions = [try zoo.insertion("Tag", [:])]
            }
        }
    }

    private func consume(_ name: String, _ store: SQLiteStore, ignoring authors: Set<String> = []) throws -> [Int64] {
        var numbers: [Int64] = []
        _ = try HistoryConsumption(store, name: name, from: .now).run(ignoring: authors) { page in
            numbers += page.map(\.number)
        }
        return numbers
    }

    private func tables(_ zoo: ZooStore) throws -> [[Cell]] {
        try zoo.rows("SELECT name FROM sqlite_master WHERE name LIKE 'OSD%'")
    }

    @Test("each transaction is delivered once, also when the store is opened again")
    func once() throws {
        let zoo = try ZooStore(.file)
        try save(zoo, "a")
        try zoo.store.registerHistoryConsumer("reader", from: .now)
        #expect(try consume("reader", zoo.store).isEmpty)
        try save(zoo, "a", "b", "c")
        #expect(try consume("reader", zoo.store, ignoring: ["b"]) == [2, 4])
        #expect(try consume("reader", zoo.store).isEmpty)
        try save(zoo, "d")
        let again = try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)))
        #expect(try consume("reader", again) == [5])
        #expect(try consume("reader", zoo.store).isEmpty)
        #expect(try zoo.store.historyConsumers().map(\.number) == [5])
    }

    @Test("a new consumer begins where requested, a registered one continues")
    func start() throws {
        let zoo = try ZooStore()
        try save(zoo, "a", "a", "a")
        try zoo.store.pruneHistory(before: .number(2))
        try zoo.store.registerHistoryConsumer("all", from: .beginning)
        try zoo.store.registerHistoryConsumer("new", from: .now)
        #expect(try zoo.store.historyConsumers().map(\.name) == ["all", "new"])
        #expect(try zoo.store.historyConsumers().map(\.number) == [1, 3])
        try zoo.store.registerHistoryConsumer("new", from: .beginning)
        #expect(try consume("all", zoo.store) == [2, 3])
        #expect(try consume("new", zoo.store).isEmpty)
    }

    @Test("a transaction whose handler threw is delivered again")
    func failure() throws {
        let zoo = try ZooStore()
        try zoo.store.registerHistoryConsumer("reader", from: .now)
        try save(zoo, "a", "a")
        let consumption = HistoryConsumption(zoo.store, name: "reader", from: .now)
        #expect(throws: Stop.self) { _ = try consumption.run(ignoring: []) { _ in throw Stop() } }
        #expect(try consume("reader", zoo.store) == [1, 2])
    }

    @Test("history is deleted up to the slowest consumer's position, and not at all without a consumer")
    func slowest() throws {
        let zoo = try ZooStore()
        let store = zoo.store
        try save(zoo, "a", "a", "a")
        #expect(try store.pruneConsumedHistory() == 0)
        try store.registerHistoryConsumer("fast", from: .beginning)
        try store.registerHistoryConsumer("slow", from: .beginning)
        #expect(try consume("fast", store) == [1, 2, 3])
        #expect(try store.pruneConsumedHistory() == 0)
        try store.advanceHistoryConsumer("slow", to: 2)
        #expect(try store.pruneConsumedHistory() == 1)
        #expect(try store.wholeHistory(HistoryQuery()).map(\.number) == [2, 3])
        try store.advanceHistoryConsumer("slow", to: 3)
        #expect(try store.pruneConsumedHistory(keeping: 3600) == 0)
        #expect(try store.pruneConsumedHistory() == 1)
        #expect(try store.wholeHistory(HistoryQuery()).map(\.number) == [3])
        try save(zoo, "b")
        #expect(try consume("fast", store) == [4])
        #expect(try store.wholeHistory(HistoryQuery()).map(\.number) == [3, 4])
        try store.removeHistoryConsumer("slow")
        #expect(try store.pruneConsumedHistory() == 1)
        try save(zoo, "c")
        #expect(try consume("fast", store) == [5])
        #expect(try store.wholeHistory(HistoryQuery()).map(\.number) == [5], "a consumer that has read trims")
    }

    @Test("nothing is written if there is nothing new and nothing to delete")
    func idle() throws {
        let zoo = try ZooStore()
        try save(zoo, "a")
        try zoo.store.registerHistoryConsumer("reader", from: .beginning)
        #expect(try consume("reader", zoo.store) == [1])
        zoo.log.clear()
        #expect(try consume("reader", zoo.store).isEmpty)
        #expect(!zoo.log.statements.contains { $0.hasPrefix("BEGIN IMMEDIATE") }, "\(zoo.log.statements)")
    }

    @Test("a consumer whose history was deleted gets an error, until it starts over")
    func expired() throws {
        let zoo = try ZooStore()
        let store = zoo.store
        try store.registerHistoryConsumer("reader", from: .now)
        try save(zoo, "a", "a", "a")
        try store.pruneHistory(before: .number(3))
        #expect(throws: HistoryError.tokenExpired(store: store.identifier, number: 0)) {
            _ = try consume("reader", store)
        }
        try store.restartHistoryConsumer("reader")
        #expect(try consume("reader", store).isEmpty)
        try save(zoo, "b")
        #expect(try consume("reader", store) == [4])
    }

    @Test("of two instances under one name, the slower one does not move the position back")
    func slowerTwin() throws {
        let zoo = try ZooStore()
        let store = zoo.store
        try save(zoo, "a", "a", "a")
        try store.registerHistoryConsumer("reader", from: .beginning)
        try store.advanceHistoryConsumer("reader", to: 3)
        try store.pruneConsumedHistory()
        try store.advanceHistoryConsumer("reader", to: 1)
        #expect(try store.historyConsumers().map(\.number) == [3])
        try save(zoo, "b")
        #expect(try consume("reader", store) == [4])
    }

    @Test("the table exists only while there is a registration")
    func table() throws {
        let zoo = try ZooStore()
        #expect(try tables(zoo).isEmpty)
        #expect(try zoo.store.historyConsumers().isEmpty)
        try zoo.store.removeHistoryConsumer("nobody")
        try zoo.store.registerHistoryConsumer("one", from: .now)
        try zoo.store.registerHistoryConsumer("two", from: .now)
        try zoo.store.removeHistoryConsumer("one")
        #expect(try zoo.store.historyConsumers().map(\.name) == ["two"])
        try zoo.store.removeHistoryConsumer("two")
        #expect(try tables(zoo).isEmpty)
        #expect(try zoo.store.historyConsumer(named: "two") == nil)
    }

    @Test("registration is refused without history, and in a read-only store")
    func refused() throws {
        let without = try ZooStore(history: .without)
        #expect(throws: HistoryError.historyNotRecorded(store: without.store.identifier)) {
            try without.store.registerHistoryConsumer("reader", from: .now)
        }
        let zoo = try ZooStore(.file)
        let reader = try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: true)
        #expect(throws: StoreAccessError.readOnly) { try reader.registerHistoryConsumer("reader", from: .now) }
    }

    @Test("names of several stores are combined, with the last transaction of each")
    func joined() {
        let joined = RegisteredConsumer.joined([
            (
                "s",
                [RegisteredConsumer(name: "b", number: 3, time: 5), RegisteredConsumer(name: "a", number: 1, time: 9)]
            ),
            ("t", [RegisteredConsumer(name: "b", number: 7, time: 4)]),
        ])
        #expect(joined.map(\.name) == ["a", "b"])
        #expect(joined.last?.token == HistoryToken(["s": 3, "t": 7]))
        #expect(joined.last?.time == 5)
    }
}
