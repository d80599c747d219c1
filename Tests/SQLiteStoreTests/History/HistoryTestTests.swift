import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Selecting transactions by their properties")
struct HistoryTestTests {
    private static let texts: [String?] = [nil, "", "a", "b", "é", "A'; --"]

    private func zoo(_ random: inout SeededGenerator) throws -> ZooStore {
        let zoo = try ZooStore()
        for _ in 0..<40 {
            try zoo.save {
                $0.author = Self.texts.randomElement(using: &random) ?? nil
                $0.contextName = Self.texts.randomElement(using: &random) ?? nil
                $0.insertions = [try zoo.insertion("Tag", [:])]
            }
        }
        return zoo
    }

    private func randomTest(
        _ history: [HistoryTransaction], depth: Int, _ random: inout SeededGenerator
    ) throws -> HistoryTest {
        let transaction = try #require(history.randomElement(using: &random))
        let comparison = try #require(ComparisonOperator.allCases.randomElement(using: &random))
        let parts = { (count: Int, random: inout SeededGenerator) throws -> [HistoryTest] in
            try (0..<count).map { _ in try randomTest(history, depth: depth - 1, &random) }
        }
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &random) {
        case 0: return .number(comparison, transaction.number + Int64.random(in: -1...1, using: &random))
        case 1: return .token(comparison, Bool.random(using: &random) ? transaction.token : HistoryToken(["else": 7]))
        case 2: return .time(comparison, transaction.timestamp)
        case 3:
            let text = try #require(HistoryText.allCases.randomElement(using: &random))
            return .text(text, is: Self.texts.randomElement(using: &random) ?? nil)
        case 4: return .store(is: Bool.random(using: &random) ? transaction.storeIdentifier : "else")
        case 5: return .constant(Bool.random(using: &random))
        case 6:
            let id = try #require(transaction.changes.first?.id)
            return .changed(Bool.random(using: &random) ? id : ObjectID(space: id.space, key: id.key + 1000))
        case 7: return .not(try randomTest(history, depth: depth - 1, &random))
        case 8: return .and(try parts(Int.random(in: 0...3, using: &random), &random))
        default: return .or(try parts(Int.random(in: 0...3, using: &random), &random))
        }
    }

    @Test("the results of the store and of memory are equal", arguments: 1...20)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zoo = try zoo(&random)
        let all = try zoo.store.wholeHistory(HistoryQuery())
        #expect(all.count == 40)
        for _ in 0..<25 {
            let test = try randomTest(all, depth: 3, &random)
            let found = try zoo.store.wholeHistory(HistoryQuery(where: test))
            #expect(found == all.filter(test.holds), "seed \(seed), \(test)")
        }
    }

    @Test("the test is part of one statement for the transactions, and only their changes are read")
    func statements() throws {
        var random = SeededGenerator(seed: 1)
        let zoo = try zoo(&random)
        let all = try zoo.store.wholeHistory(HistoryQuery())
        zoo.log.clear()
        let test = HistoryTest.or([.number(.equal, 3), .number(.equal, 9)])
        #expect(try zoo.store.history(HistoryQuery(where: test)) == [all[2], all[8]])
        #expect(zoo.log.statements.count == 4, "\(zoo.log.statements)")
        #expect(zoo.log.statements.contains { $0.contains("((t.Z_PK = ?) OR (t.Z_PK = ?))") }, "\(zoo.log.statements)")
        #expect(zoo.log.statements.contains { $0.contains("FROM ACHANGE WHERE ZTRANSACTIONID IN (") })
        zoo.log.clear()
        let bare = try zoo.store.history(HistoryQuery(where: test, .withoutChanges))
        #expect(bare.map(\.number) == [3, 9] && bare.allSatisfy { $0.changes.isEmpty })
        #expect(!zoo.log.statements.contains { $0.contains("ACHANGE") })
    }

    @Test("a limit counts matching transactions, over as many pages as it takes")
    func limit() throws {
        var random = SeededGenerator(seed: 2)
        let zoo = try zoo(&random)
        let test = HistoryTest.number(.greater, 10)
        #expect(try zoo.store.wholeHistory(HistoryQuery(where: test), most: 7).map(\.number) == Array(11...17))
        let after = HistoryQuery(after: HistoryToken([zoo.store.identifier: 38]), where: test)
        #expect(try zoo.store.wholeHistory(after).map(\.number) == [39, 40])
    }

    @Test("a token in the test is refused if the history after it was deleted")
    func expired() throws {
        var random = SeededGenerator(seed: 3)
        let zoo = try zoo(&random)
        let store = zoo.store
        try store.pruneHistory(before: .number(20))
        let expired = HistoryTest.and([.text(.author, is: "a"), .token(.greater, HistoryToken([store.identifier: 5]))])
        #expect(throws: HistoryError.tokenExpired(store: store.identifier, number: 5)) {
            try store.history(HistoryQuery(where: expired))
        }
        let kept = HistoryTest.token(.greater, HistoryToken([store.identifier: 19]))
        #expect(try store.wholeHistory(HistoryQuery(where: kept)).count == 21)
        let before = HistoryTest.token(.less, HistoryToken([store.identifier: 5]))
        #expect(try store.wholeHistory(HistoryQuery(where: before)).isEmpty)
    }

    @Test("deleting by a test deletes matches anywhere; tokens expire only by tests of position")
    func pruning() throws {
        let zoo = try ZooStore()
        for author in ["a", "a", "b", "a", "b", "a"] {
            try zoo.save {
                $0.author = author
                $0.insertions = [try zoo.insertion("Tag", [:])]
            }
        }
        func numbers(after number: Int64) throws -> [Int64] {
            try zoo.store.history(after: HistoryToken([zoo.store.identifier: number])).map(\.number)
        }
        let own = HistoryTest.text(.author, is: "a")
        #expect(try zoo.store.pruneHistory(where: own) == 4)
        #expect(try zoo.store.pruneHistory(where: own) == 0)
        #expect(try numbers(after: 0) == [3, 5])
        #expect(try numbers(after: 4) == [5])
        #expect(try numbers(after: 6).isEmpty)
        #expect(try zoo.store.pruneHistory(where: .number(.less, 4)) == 1)
        #expect(try numbers(after: 4) == [5])
        #expect(throws: HistoryError.tokenExpired(store: zoo.store.identifier, number: 2)) { try numbers(after: 2) }
        #expect(try zoo.store.pruneHistory(where: .text(.author, is: "b")) == 1)
        #expect(try numbers(after: 4).isEmpty)
        #expect(throws: HistoryError.tokenExpired(store: zoo.store.identifier, number: 3)) { try numbers(after: 3) }
        #expect(try zoo.store.pruneHistory(before: .number(100)) == 0)
    }

    @Test("history deleted by another program next to gaps expires the tokens before the remaining history")
    func prunedByOthers() throws {
        let zoo = try ZooStore()
        for author in ["a", "b", "b"] {
            try zoo.save {
                $0.author = author
                $0.insertions = [try zoo.insertion("Tag", [:])]
            }
        }
        let token = HistoryToken([zoo.store.identifier: 0])
        try zoo.store.pruneHistory(where: .text(.author, is: "a"))
        #expect(try zoo.store.history(after: token).map(\.number) == [2, 3])
        try zoo.store.pool.withWriter { try $0.execute("DELETE FROM ATRANSACTION WHERE Z_PK = 2") }
        #expect(throws: HistoryError.tokenExpired(store: zoo.store.identifier, number: 0)) {
            try zoo.store.history(after: token)
        }
    }

    @Test("histories of several stores are merged by time, each in its own order")
    func chronological() {
        func transaction(_ store: String, _ number: Int64, _ time: Double) -> HistoryTransaction {
            HistoryTransaction(
                storeIdentifier: store, number: number, timestamp: time, author: nil, contextName: nil, processID: nil,
                bundleID: nil)
        }
        // The clock of the first was set back.
        let first = [transaction("a", 1, 10), transaction("a", 2, 3), transaction("a", 3, 12)]
        let second = [transaction("b", 1, 5), transaction("b", 2, 11), transaction("b", 3, 11)]
        let all = HistoryTransaction.chronological([first, second])
        #expect(all.map { "\($0.storeIdentifier)\($0.number)" } == ["b1", "a1", "a2", "b2", "b3", "a3"])
        #expect(HistoryTransaction.chronological([first]) == first)
        #expect(HistoryTransaction.chronological([]).isEmpty)
    }
}
