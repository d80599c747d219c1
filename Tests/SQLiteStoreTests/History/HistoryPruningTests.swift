import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Pruning history")
struct HistoryPruningTests {
    /// Six saves by three authors.
    private func zoo() throws -> ZooStore {
        let zoo = try ZooStore()
        for author in ["a", "a", "b", "c", "b", "c"] {
            try zoo.save {
                $0.author = author
                $0.insertions = [try zoo.insertion("Tag", ["label": .text(author)])]
            }
        }
        return zoo
    }

    private func counters(_ zoo: ZooStore) throws -> [[Cell]] {
        try zoo.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    }

    @Test("the bound is kept, later history, counters and rows are unchanged, unused texts are deleted")
    func prune() throws {
        let zoo = try zoo()
        let all = try zoo.store.history(after: nil)
        let counters = try counters(zoo)
        zoo.log.clear()
        #expect(try zoo.store.pruneHistory(before: .token(all[2].token)) == 2)
        #expect(zoo.log.statements.count == 13, "\(zoo.log.statements)")
        #expect(try zoo.store.history(after: nil) == Array(all[2...]))
        #expect(try self.counters(zoo) == counters)
        #expect(try zoo.fetch("Tag").count == 6)
        let process = Cell.text(ProcessInfo.processInfo.processName)
        let texts = try zoo.rows("SELECT ZNAME FROM ATRANSACTIONSTRING").map { $0[0] }
        #expect(!texts.contains(.text("a")) && texts.contains(process))
        #expect(texts.contains(.text("b")) && texts.contains(.text("c")))
        #expect(try zoo.rows("SELECT count(*) FROM ACHANGE") == [[.integer(4)]])

        try zoo.save {
            $0.author = "a"
            $0.insertions = [try zoo.insertion("Tag", [:])]
        }
        let next = try #require(try zoo.store.history(after: all[5].token).first)
        #expect(next.number == 7 && next.author == "a")
        #expect(next.changes.map(\.number) == [7])
    }

    @Test("everything can be deleted, and numbers continue")
    func everything() throws {
        let zoo = try zoo()
        let counters = try counters(zoo)
        #expect(try zoo.store.pruneHistory(before: .time(.infinity)) == 6)
        for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            #expect(try zoo.rows("SELECT count(*) FROM \(table)") == [[.integer(0)]])
        }
        #expect(try self.counters(zoo) == counters)
        try zoo.insert("Tag", [:])
        #expect(try zoo.store.history(after: nil).map(\.number) == [7])
    }

    @Test("pruning by time goes up to the first transaction of that time, whatever the clock did later")
    func byTime() throws {
        let zoo = try zoo()
        for (number, time) in [10, 20, 50, 30, 40, 60].enumerated() {
            _ = try zoo.rows("UPDATE ATRANSACTION SET ZTIMESTAMP = \(time) WHERE Z_PK = \(number + 1)")
        }
        #expect(try zoo.store.pruneHistory(before: .time(5)) == 0)
        #expect(try zoo.store.pruneHistory(before: .time(20)) == 1)
        #expect(try zoo.store.pruneHistory(before: .time(45)) == 1)
        #expect(try zoo.store.history(after: nil).map(\.number) == [3, 4, 5, 6])
        #expect(try zoo.store.pruneHistory(before: .time(50.5)) == 3)
        #expect(try zoo.store.history(after: nil).map(\.number) == [6])
    }

    @Test("bounds that match nothing prune nothing")
    func nothing() throws {
        let zoo = try zoo()
        #expect(try zoo.store.pruneHistory(before: .token(HistoryToken(["another store": 5]))) == 0)
        #expect(try zoo.store.pruneHistory(before: .token(HistoryToken([:]))) == 0)
        #expect(try zoo.store.pruneHistory(before: .number(1)) == 0)
        #expect(try zoo.store.pruneHistory(before: .number(.min)) == 0)
        #expect(try zoo.store.history(after: nil).count == 6)
    }

    @Test("a read-only store refuses")
    func readOnly() throws {
        let zoo = try ZooStore(.file)
        try zoo.insert("Tag", [:])
        let reading = try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: true)
        #expect(throws: StoreAccessError.readOnly) { try reading.pruneHistory(before: .number(2)) }
        #expect(try reading.history(after: nil).count == 1)
    }
}
