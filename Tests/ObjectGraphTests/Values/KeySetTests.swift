import TestSupport
import Testing

@testable import ObjectGraph

/// Sets of keys compared with Swift's own sets.
@Suite("Key sets are sets")
struct KeySetTests {
    private static let edges: [Int64] = [.min, .min + 1, -65, -64, -1, 0, 1, 63, 64, 65, .max - 1, .max]

    /// Dense, sparse, around zero, at both limits, ascending, descending, with duplicate keys.
    private static func keys(_ random: inout SeededGenerator) -> [Int64] {
        let count = [0, 1, 2, 5, 63, 64, 65, 200, 1500].randomElement(using: &random) ?? 0
        let ranges: [ClosedRange<Int64>] = [
            0...Int64(max(1, count)), -20...20, 0...Int64(max(1, count)) * 100, 1_000_000...1_002_000, .min ... .max,
            Int64.max - 400 ... .max, .min...Int64.min + 400, -1...Int64(max(1, count)) * 128,
        ]
        let range = ranges.randomElement(using: &random) ?? 0...10
        var keys = (0..<count).map { _ in Int64.random(in: range, using: &random) }
        if Bool.random(using: &random) { keys += edges.shuffled(using: &random).prefix(3) }
        if Bool.random(using: &random) { keys += keys.prefix(10) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: keys.sort()
        case 1: keys.sort(by: >)
        default: keys.shuffle(using: &random)
        }
        return keys
    }

    @Test("making, membership, union, subtraction and splitting agree with Set", arguments: 0..<250 as Range<UInt64>)
    func operations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (mine, theirs) = (Self.keys(&random), Self.keys(&random))
        let (a, b) = (KeySet(mine), KeySet(theirs))
        let (x, y) = (Set(mine), Set(theirs))
        #expect(a.keys == x.sorted(), "seed \(seed)")
        #expect(a.count == x.count && a.isEmpty == x.isEmpty && a.first == x.min() && a.last == x.max(), "seed \(seed)")
        #expect(KeySet(mine.reversed()) == a, "seed \(seed)")
        for key in theirs.prefix(40) + mine.prefix(40) + Self.edges {
            #expect(a.contains(key) == x.contains(key), "seed \(seed), key \(key)")
        }
        #expect(a.union(b).keys == x.union(y).sorted(), "seed \(seed)")
        #expect(b.union(a) == a.union(b), "seed \(seed)")
        #expect(a.subtracting(b).keys == x.subtracting(y).sorted(), "seed \(seed)")
        #expect(a.intersection(b).keys == x.intersection(y).sorted(), "seed \(seed)")
        let parts = b.split(by: a)
        #expect(parts.inside.keys == y.intersection(x).sorted(), "seed \(seed)")
        #expect(parts.outside.keys == y.subtracting(x).sorted(), "seed \(seed)")
        for count in [-1, 0, 1, 5, 10_000] {
            #expect(a.prefix(count).keys == Array(x.sorted().prefix(max(0, count))), "seed \(seed)")
            #expect(a.suffix(count).keys == Array(x.sorted().suffix(max(0, count))), "seed \(seed)")
        }
    }

    @Test("a small set can be split by a large one, and the other way round")
    func uneven() {
        let large = KeySet((0..<10_000).map { Int64($0 * 3) })
        let small = KeySet([-5, 0, 1, 3, 29_997, 29_998, 40_000])
        #expect(small.split(by: large).inside.keys == [0, 3, 29_997])
        #expect(small.split(by: large).outside.keys == [-5, 1, 29_998, 40_000])
        #expect(large.intersection(small).keys == [0, 3, 29_997])
        #expect(large.subtracting(small).count == 9_997)
    }

    @Test("bits represent the keys they were made of, or are refused", arguments: 0..<250 as Range<UInt64>)
    func bits(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 7777)
        let keys = Self.keys(&random)
        guard let bits = KeyBits(keys) else {
            // Few keys, or far apart.
            if keys.count >= 64, let first = keys.min(), let last = keys.max() {
                #expect(Double(last) - Double(first) > Double(keys.count) * 100, "seed \(seed)")
            }
            return
        }
        #expect(bits.keys == Set(keys).sorted(), "seed \(seed)")
        #expect(bits.words.count <= keys.count * 2 + 1, "seed \(seed)")
    }

    @Test("keys at both limits need no bits and overflow nothing")
    func extremes() {
        #expect(KeyBits(Array(repeating: .min, count: 64) + [.max]) == nil)
        #expect(KeyBits([]) == nil)
        let top = (0..<100).map { Int64.max - Int64($0) }
        #expect(KeySet(top).keys == top.reversed())
        #expect(KeyBits(top)?.keys == top.reversed())
        let bottom = (0..<100).map { Int64.min + Int64($0) }
        #expect(KeyBits(bottom)?.keys == bottom)
    }

    @Test(
        "rows of several entities support union, difference, membership and order", arguments: 0..<100 as Range<UInt64>)
    func rowSets(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 99)
        let spaces = ["A", "B", "C"].map { IDSpace.intern(storeIdentifier: "row sets", entityName: $0) }
        func ids() -> [ObjectID] {
            (0..<Int.random(in: 0..<200, using: &random)).compactMap { _ in
                spaces.randomElement(using: &random).map {
                    ObjectID(space: $0, key: Int64.random(in: -50...50, using: &random))
                }
            }
        }
        let (mine, theirs) = (ids(), ids())
        let (a, b) = (RowSet(mine), RowSet(theirs))
        let (x, y) = (Set(mine), Set(theirs))
        #expect(Set(a.ids) == x && a.count == x.count && a.isEmpty == x.isEmpty, "seed \(seed)")
        #expect(Array(a.ids).count == x.count, "seed \(seed)")
        var union = a
        union.formUnion(b)
        #expect(Set(union.ids) == x.union(y), "seed \(seed)")
        #expect(Set(a.subtracting(b).ids) == x.subtracting(y), "seed \(seed)")
        #expect(a.subtracting(a) == RowSet() && a.subtracting(a).isEmpty, "seed \(seed)")
        for id in mine.prefix(20) + theirs.prefix(20) {
            #expect(a.contains(id) == x.contains(id), "seed \(seed)")
            #expect(a[id.space].contains(id.key) == x.contains(id), "seed \(seed)")
        }
        for space in spaces {
            let keys = a.ids.filter { $0.space == space }.map(\.key)
            #expect(keys == keys.sorted(), "seed \(seed)")
        }
    }
}
