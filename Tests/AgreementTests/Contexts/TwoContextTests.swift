import Foundation
import TestSupport
import Testing

@testable import SwiftData

@Suite("Two contexts, the same rows")
struct TwoContextTests {
    @Test("edits, deletions and saves in any order merge property by property", arguments: Seeds.rounds(30))
    func interleavings(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0x2C)
        let pair = try ContextPair()
        do {
            for _ in 0..<60 { try pair.step(&random) }
            try pair.finish()
            #expect(pair.saves > 5, "seed \(seed)")
        } catch {
            Issue.record("seed \(seed): \(error)\n\(pair.log.joined(separator: "\n"))")
        }
    }

    private func makeContainer() throws -> ModelContainer {
        try ModelContainer(
            for: Board.self, Card.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("every save of a row increases its version, whichever context saves")
    func versionsRise() throws {
        let container = try makeContainer()
        let contexts = (0..<2).map { _ in ModelContext(container) }
        contexts[0].insert(Card(number: 1))
        try contexts[0].save()
        var versions: [Int64] = []
        for round in 0..<6 {
            let context = contexts[round % 2]
            let card = try #require(try context.fetch(FetchDescriptor<Card>()).first)
            card.first += 1
            try context.save()
            versions.append(card.record.version)
        }
        #expect(versions == [2, 3, 4, 5, 6, 7])
        let card = try #require(try ModelContext(container).fetch(FetchDescriptor<Card>()).first)
        #expect(card.first == 6)
        #expect(card.record.version == 7)
    }

    @Test("edits of a row that was deleted elsewhere do not restore it, and the other changes are saved")
    func deletedElsewhere() throws {
        let container = try makeContainer()
        let (one, two) = (ModelContext(container), ModelContext(container))
        for number in 0..<2 { one.insert(Card(number: number)) }
        try one.save()
        let cards = try two.fetch(FetchDescriptor<Card>(sortBy: [SortDescriptor(\.number)]))
        for card in cards { card.title = "edited" }
        let doomed = try #require(try one.fetch(FetchDescriptor<Card>(predicate: #Predicate { $0.number == 0 })).first)
        one.delete(doomed)
        try one.save()
        try two.save()
        let left = try ModelContext(container).fetch(FetchDescriptor<Card>())
        #expect(left.map(\.number) == [1])
        #expect(left.map(\.title) == ["edited"])
        #expect(cards[0].modelContext == nil)
        #expect(!two.hasChanges)
    }

    @Test("a deletion wins over an edit saved meanwhile")
    func deletionOfEdited() throws {
        let container = try makeContainer()
        let (one, two) = (ModelContext(container), ModelContext(container))
        one.insert(Card(number: 0))
        try one.save()
        let doomed = try #require(try two.fetch(FetchDescriptor<Card>()).first)
        two.delete(doomed)
        let edited = try #require(try one.fetch(FetchDescriptor<Card>()).first)
        edited.first = 5
        try one.save()
        try two.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Card>()) == 0)
        #expect(try one.fetchCount(FetchDescriptor<Card>()) == 0)
    }

    @Test("a link to a row deleted by another context reads as nil, in every context")
    func linkToDeleted() throws {
        let container = try makeContainer()
        let (one, two) = (ModelContext(container), ModelContext(container))
        one.insert(Board(number: 0))
        one.insert(Card(number: 0))
        try one.save()
        let board = try #require(try one.fetch(FetchDescriptor<Board>()).first)
        let card = try #require(try two.fetch(FetchDescriptor<Card>()).first)
        card.board = try two.fetch(FetchDescriptor<Board>()).first
        #expect(card.board != nil)
        one.delete(board)
        try one.save()
        try two.save()
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Card>()).first)
        #expect(read.board == nil)
        _ = try two.fetch(FetchDescriptor<Card>())
        #expect(card.board == nil)
    }
}
