import TestSupport
import Testing

@testable import SwiftData

@Suite("Differences of lists")
struct ListDifferenceTests {
    @Test("A difference leads from one list to another, also with equal items", arguments: Seeds.rounds(20))
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let lists = (0..<2).map { _ in (0..<random.roll(12)).map { _ in random.roll(8) } }
            var list = lists[0]
            let difference = ListDifference(from: lists[0], to: lists[1])
            difference.apply(to: &list)
            #expect(list == lists[1], "seed \(seed)")
            #expect(difference.isEmpty == (lists[0] == lists[1]))
        }
    }

    @Test("Lists of which all items differ are compared without a table of all pairs")
    func many() {
        let (old, new) = (Array(0..<100_000), Array(100_000..<200_000))
        let difference = ListDifference(from: old, to: new)
        #expect(difference.removals.count == old.count && difference.insertions.count == new.count)
    }
}
