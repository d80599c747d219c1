import TestSupport
import Testing

@testable import SQLiteStore

@Suite("One-to-one matching")
struct OneToOneMatchingTests {
    private typealias End = OneToOneMatching.End

    /// - Parameter pointers: pointers of both sides, including those that agree.
    private func matching(
        _ pointers: [End: End], mandatory: [Bool] = [false, false]
    ) -> OneToOneMatching {
        let halves = pointers.filter { pointers[$0.value] != $0.key }.map { from, to in
            OneToOneMatching.Half(from: from, to: to, destinationIsFree: pointers[to] == nil)
        }
        return OneToOneMatching(halves, isMandatory: mandatory)
    }

    private func apply(_ outcome: OneToOneMatching, to pointers: [End: End]) -> [End: End] {
        var result = pointers
        for end in outcome.cleared { result[end] = nil }
        for (end, destination) in outcome.completed { result[end] = destination }
        return result
    }

    private func left(_ key: Int64) -> End { End(side: 0, key: key) }
    private func right(_ key: Int64) -> End { End(side: 1, key: key) }

    @Test("a chain is resolved from its free end")
    func chain() {
        let chain = [left(1): right(1), right(1): left(2), left(2): right(2)]
        let outcome = matching(chain)
        // The second right becomes the partner of the second left; the first two become partners of each other.
        #expect(
            apply(outcome, to: chain)
                == [left(1): right(1), right(1): left(1), left(2): right(2), right(2): left(2)])
        #expect(outcome.unsolved.isEmpty)
    }

    @Test("a cycle is cleared, unless one side is mandatory: then each mandatory end gets its partner")
    func circle() {
        let circle = [left(1): right(1), right(1): left(2), left(2): right(2), right(2): left(1)]
        #expect(matching(circle).cleared == [left(1), left(2), right(1), right(2)])
        let outcome = matching(circle, mandatory: [true, false])
        #expect(
            apply(outcome, to: circle) == [left(1): right(1), right(1): left(1), left(2): right(2), right(2): left(2)])
        #expect(matching(circle, mandatory: [true, true]).unsolved.count == 4)
    }

    @Test("for any pointers, both ends agree or are reported as unsolved, and a second run changes nothing")
    func anything() {
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let isSelfInverse = random.roll(3) == 0
            let mandatory = isSelfInverse ? [random.roll(4) == 0] : [random.roll(4) == 0, random.roll(4) == 0]
            var pointers: [End: End] = [:]
            for side in mandatory.indices {
                for key in 0..<Int64(6) where random.roll(4) > 0 {
                    pointers[End(side: side, key: key)] = End(
                        side: mandatory.count - 1 - side, key: Int64(random.roll(6)))
                }
            }
            let outcome = matching(pointers, mandatory: mandatory)
            let after = apply(outcome, to: pointers)
            let unsolved = Set(outcome.unsolved)
            for (end, other) in after where after[other] != end {
                #expect(unsolved.contains(end), "seed \(seed): \(end)")
            }
            for end in pointers.keys where mandatory[end.side] {
                #expect(after[end] != nil, "seed \(seed): a mandatory end was cleared")
            }
            if !mandatory.contains(true) { #expect(unsolved.isEmpty, "seed \(seed)") }
            let second = matching(after, mandatory: mandatory)
            #expect(second.cleared.isEmpty && second.completed.isEmpty, "seed \(seed)")
            for (end, other) in pointers where pointers[other] == end {
                #expect(after[end] == other, "seed \(seed): a pair was parted")
            }
        }
    }
}
