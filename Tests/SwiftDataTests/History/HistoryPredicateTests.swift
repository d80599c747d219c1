import Foundation
import Testing

@testable import ObjectGraph
@testable import SwiftData

/// The store's results equal Foundation's own evaluation.
@Suite("Predicates on transactions")
struct HistoryPredicateTests {
    typealias Transaction = DefaultHistoryTransaction

    private struct World {
        let context: ModelContext
        let all: [Transaction]

        init() throws {
            context = ModelContext(try Travels.container())
            for author in ["app", nil, "widget", "", "cafe\u{301}", "app", "other"] as [String?] {
                try Travels.save("x", by: author, in: context)
            }
            all = try context.fetchHistory(HistoryDescriptor<Transaction>())
        }

        func check(_ predicate: Predicate<Transaction>, isExact: Bool, _ line: Int = #line) throws {
            let found = try context.fetchHistory(HistoryDescriptor<Transaction>(predicate: predicate))
            let expected = try all.filter(predicate.evaluate)
            #expect(found == expected, "line \(line)")
            let translated = HistoryPredicate(predicate)
            #expect(translated.isExact == isExact, "line \(line): \(translated.test)")
        }
    }

    @Test("Comparisons of transaction properties are evaluated by the store")
    func exact() throws {
        let world = try World()
        let token = world.all[2].token
        let time = world.all[3].timestamp
        let store = world.all[0].storeIdentifier
        let process = ProcessInfo.processInfo.processName
        let author = "app"
        let noAuthor: String? = nil
        try world.check(#Predicate { $0.token > token }, isExact: true)
        try world.check(#Predicate { $0.token >= token }, isExact: true)
        try world.check(#Predicate { $0.token < token }, isExact: true)
        try world.check(#Predicate { $0.token <= token }, isExact: true)
        try world.check(#Predicate { $0.token == token }, isExact: true)
        try world.check(#Predicate { $0.token != token }, isExact: true)
        try world.check(#Predicate { token < $0.token }, isExact: true)
        try world.check(#Predicate { $0.transactionIdentifier >= 4 }, isExact: true)
        try world.check(#Predicate { $0.id == 2 }, isExact: true)
        try world.check(#Predicate { $0.timestamp > time }, isExact: true)
        try world.check(#Predicate { $0.timestamp <= time }, isExact: true)
        try world.check(#Predicate { $0.author == author }, isExact: true)
        try world.check(#Predicate { $0.author != author }, isExact: true)
        try world.check(#Predicate { $0.author == noAuthor }, isExact: true)
        try world.check(#Predicate { $0.author == nil }, isExact: true)
        try world.check(#Predicate { $0.author != nil }, isExact: true)
        try world.check(#Predicate { $0.author == "" }, isExact: true)
        try world.check(#Predicate { $0.storeIdentifier == store }, isExact: true)
        try world.check(#Predicate { $0.storeIdentifier != store }, isExact: true)
        try world.check(#Predicate { $0.processIdentifier == process }, isExact: true)
        try world.check(#Predicate { $0.bundleIdentifier == "" }, isExact: true)
    }

    @Test("Combinations of such comparisons are evaluated by the store")
    func combined() throws {
        let world = try World()
        let token = world.all[1].token
        let yes = true
        try world.check(#Predicate { $0.token > token && $0.author == "app" }, isExact: true)
        try world.check(#Predicate { $0.author == "app" || $0.author == nil }, isExact: true)
        try world.check(#Predicate { !($0.author == "app" || $0.token <= token) }, isExact: true)
        try world.check(#Predicate { _ in yes }, isExact: true)
        try world.check(#Predicate { yes && $0.author == "app" }, isExact: true)
    }

    @Test("Other conditions are evaluated in memory, on transactions preselected by the store")
    func inMemory() throws {
        let world = try World()
        let token = world.all[1].token
        try world.check(#Predicate { $0.changes.count == 1 }, isExact: false)
        try world.check(#Predicate { $0.author == "caf\u{e9}" }, isExact: false)
        try world.check(#Predicate { $0.token > token && $0.changes.isEmpty }, isExact: false)
        try world.check(#Predicate { $0.token > token && ($0.author ?? "none").contains("o") }, isExact: false)
        try world.check(#Predicate { $0.author == "app" || $0.changes.isEmpty }, isExact: false)
        try world.check(#Predicate { $0.processIdentifier.count > 1 }, isExact: false)
        let mixed = HistoryPredicate(#Predicate { $0.token > token && $0.changes.isEmpty })
        #expect(mixed.test.startingTokens == [token.token])
    }
}
