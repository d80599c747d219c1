import ObjectGraph
import TestSupport
import Testing

@testable import MemoryStore
@testable import SQLiteStore

/// Registered consumers of history, in both stores.
@Suite("Both stores keep history for consumers alike")
struct ConsumerPairTests {
    @Test(
        "positions, pruned transactions and the remaining history are equal after every step",
        arguments: Seeds.rounds(20))
    func runs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xC0_25E2)
        var note = EntityDescription("Note")
        note.attributes = [Attribute("number", .integer64, optional: true)]
        let pair = try StorePair(try Model([note]))
        for step in 0..<60 {
            let name = random.pick(["exporter", "index", "widget"]) ?? ""
            let number = Int64(random.roll(20))
            switch random.roll(8) {
            case 0...2: try save(step, pair)
            case 3:
                try pair.change("register") {
                    try $0.registerHistoryConsumer(name, from: number < 10 ? .now : .beginning)
                }
            case 4: try pair.change("advance") { try $0.advanceHistoryConsumer(name, to: number) }
            case 5: try pair.change("restart") { try $0.restartHistoryConsumer(name) }
            case 6: try pair.change("remove") { try $0.removeHistoryConsumer(name) }
            default: try pair.change("prune") { try $0.pruneConsumedHistory(keeping: number < 15 ? 0 : 3_600) }
            }
        }
    }

    private func save(_ step: Int, _ pair: StorePair) throws {
        var changes = ChangeSet()
        changes.insertions = [
            .init(id: .temporary(entityName: "Note"), entityIndex: 0, values: [.integer(Int64(step))])
        ]
        guard case .saved = try pair.save(changes, beforeCommit: {}) else { throw Difference(text: "conflicts") }
    }

    @Test("a memory store passes each transaction to a consumer once, and prunes what was read")
    func consumption() throws {
        var note = EntityDescription("Note")
        note.attributes = [Attribute("number", .integer64, optional: true)]
        let store = try MemoryStore(model: try Model([note]))
        let consumption = HistoryConsumption(store, name: "index", from: .beginning)
        var read: [Int64] = []
        for round in 0..<3 {
            var changes = ChangeSet()
            changes.insertions = [
                .init(id: .temporary(entityName: "Note"), entityIndex: 0, values: [.integer(Int64(round))])
            ]
            _ = try store.save(changes)
            let count = try consumption.run(ignoring: []) { read += $0.map(\.number) }
            #expect(count == 1)
        }
        #expect(read == [1, 2, 3])
        #expect(try store.wholeHistory(HistoryQuery()).map(\.number) == [3])
        #expect(try store.historyConsumers().map(\.number) == [3])
        #expect(store.historyRecording != nil)
    }
}

extension StorePair {
    /// Makes the same change of both stores' history, and compares everything that can be read of it.
    fileprivate func change<Answer>(_ call: String, _ body: (any HistoryRecording) throws -> Answer) throws {
        _ = try both(call, { "\($0)" }) {
            try body(sqlite)
        } memory: {
            try body(memory)
        }
        _ = try both("consumers", { "\($0.map { ($0.name, $0.number) })" }) {
            try sqlite.historyConsumers()
        } memory: {
            try memory.historyConsumers()
        }
        _ = try both("history", { "\($0.map(\.number))" }) {
            try sqlite.wholeHistory(HistoryQuery())
        } memory: {
            try memory.wholeHistory(HistoryQuery())
        }
    }
}
