import TestSupport
import Testing

@testable import ObjectGraph

/// The list compared with an array that is searched from end to end.
@Suite struct OrderedIDsTests {
    private static let spaces = ["One", "Two"].map { IDSpace.intern(storeIdentifier: "ordered tests", entityName: $0) }

    @Test("keeps the order of insertion, each identifier once, after any removals", arguments: 1...20)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = OrderedIDs()
        var reference: [ObjectID] = []
        var rising: Int64 = 0
        for step in 0..<600 {
            rising += 1
            // Mostly increasing keys, depending on the seed.
            let isRising = step < seed * 20 || random.roll(4) > 0
            let space = Self.spaces[isRising ? 0 : random.roll(2)]
            let id = ObjectID(space: space, key: isRising ? rising : Int64(random.roll(400)))
            if step > seed * 10, random.roll(3) == 0 {
                let place = reference.firstIndex(of: id)
                let wasThere = list.remove(id)
                #expect(wasThere == (place != nil), "seed \(seed), step \(step)")
                if let place { reference.remove(at: place) }
            } else {
                list.append(id)
                if !reference.contains(id) { reference.append(id) }
            }
            #expect(list.all == reference, "seed \(seed), step \(step)")
            let asked = ObjectID(space: Self.spaces[isRising ? 0 : random.roll(2)], key: Int64(random.roll(400)))
            let place = random.roll(100)
            #expect(
                list.element(at: place) == (place < reference.count ? reference[place] : nil),
                "seed \(seed), step \(step)")
            #expect(list.count == reference.count, "seed \(seed), step \(step)")
            #expect(list.contains(asked) == reference.contains(asked), "seed \(seed), step \(step)")
            // Also as made from all at once.
            if random.roll(20) == 0 { list = OrderedIDs(reference) }
            #expect(list.isEmpty == reference.isEmpty, "seed \(seed), step \(step)")
        }
    }

    @Test("renaming keeps the order, and merges identifiers that become equal")
    func renaming() {
        let ids = (1...4).map { ObjectID(space: Self.spaces[0], key: $0) }
        var list = OrderedIDs()
        ids.forEach { list.append($0) }
        list.rename([ids[1]: ids[3]])
        #expect(list.all == [ids[0], ids[3], ids[2]])
        _ = list.remove(ids[3])
        #expect(list.all == [ids[0], ids[2]])
    }
}
