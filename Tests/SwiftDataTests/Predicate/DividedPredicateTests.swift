import Foundation
import SwiftData
import Testing

@Model
private final class Ledger {
    var name: String
    var total: Int
    var count: Int
    var best: Int?
    var tags: [String] = []
    @Relationship var parent: Ledger?
    var double: Int { total &* 2 }
    var bestDouble: Int? { best.map { $0 &* 2 } }

    init(_ name: String, total: Int, count: Int, best: Int? = nil, tags: [String] = ["x"]) {
        self.name = name
        self.total = total
        self.count = count
        self.best = best
        self.tags = tags
    }
}

/// The other half of each predicate has no SQL translation, so that it is evaluated in memory.
@Suite("Predicates evaluated partly in memory")
struct DividedPredicateTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(
            try ModelContainer(for: Ledger.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(Ledger("zero", total: 9, count: 0))
        context.insert(Ledger("three", total: 9, count: 3, best: 4))
        context.insert(Ledger("huge", total: .max, count: 1, best: .min))
        context.insert(Ledger("plain", total: 9, count: 1, best: 1, tags: []))
        try context.save()
    }

    private func names(_ predicate: Predicate<Ledger>) throws -> Set<String> {
        Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name))
    }

    @Test("DV26 Division by zero and overflow are nil", arguments: [true, false])
    func arithmetic(isSaved: Bool) throws {
        if !isSaved { for ledger in try context.fetch(FetchDescriptor<Ledger>()) { ledger.name += "" } }
        #expect(try names(#Predicate { $0.total / $0.count > 2 && $0.tags.contains("x") }) == ["three", "huge"])
        #expect(try names(#Predicate { $0.tags.contains("x") && $0.total % $0.count == 0 }) == ["three", "huge"])
        #expect(try names(#Predicate { $0.total + $0.count > 2 && $0.tags.contains("x") }) == ["zero", "three"])
        #expect(try names(#Predicate { $0.total * 2 > 2 || !$0.tags.contains("x") }) == ["zero", "three", "plain"])
        #expect(
            try names(#Predicate { if $0.tags.contains("x") { $0.total - $0.count == 6 } else { $0.count == 1 } })
                == ["three", "plain"])
    }

    @Test("DV26 A force unwrap of nil fails no fetch")
    func forced() throws {
        #expect(try names(#Predicate { $0.best! > 0 && $0.tags.contains("x") }) == ["three"])
        #expect(
            try names(#Predicate { $0.tags.contains("x") && ($0.best! > 0 || $0.count == 0) }) == ["three", "zero"])
        // Foundation's own evaluation of this throws.
        #expect(try names(#Predicate { $0.bestDouble! > 0 }) == ["three", "plain"])
        #expect(try context.fetchCount(FetchDescriptor<Ledger>(predicate: #Predicate { $0.bestDouble! > 0 })) == 2)
    }

    @Test("DV15 Stored texts compare by bytes beside parts evaluated in memory")
    func texts() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        context.insert(Ledger(composed, total: 1, count: 1))
        #expect(try names(#Predicate { $0.name == composed && $0.tags.contains("x") }) == [composed])
        #expect(try names(#Predicate { $0.name == decomposed && $0.tags.contains("x") }) == [])
    }

    @Test("DV62 Operations that could trap are refused where they are evaluated in memory")
    func refused() throws {
        #expect(throws: SwiftDataError.unsupportedPredicate) { try names(#Predicate { $0.double / $0.count > 2 }) }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try names(#Predicate { $0.double + 1 > 2 }) }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try names(#Predicate { ($0.count...$0.total).contains($0.double) })
        }
        // Nothing here can trap.
        #expect(try names(#Predicate { (1...18).contains($0.double) }) == ["zero", "three", "plain"])
        #expect(try names(#Predicate { $0.double == 18 && $0.count > 0 }) == ["three", "plain"])
    }

    @Test("Captured numbers cannot trap either")
    func captured() throws {
        let (zero, most, low, high) = (0, Int.max, 5, 1)
        #expect(try names(#Predicate { $0.total / zero > 2 }) == [])
        #expect(try names(#Predicate { 9 / zero > $0.total || $0.count == 3 }) == ["three"])
        #expect(try names(#Predicate { most + 1 > $0.count }) == [])
        #expect(try names(#Predicate { $0.count < 7 % zero }) == [])
        #expect(try names(#Predicate { -(-most - 1) > $0.count }) == [])
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try names(#Predicate { (low...high).contains($0.count) })
        }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try names(#Predicate { (low..<high).contains($0.count) })
        }
    }
}
