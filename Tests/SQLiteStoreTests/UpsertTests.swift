import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Uniqueness")
struct UpsertTests {
    @Test("an insertion that equals an existing row updates it")
    func upsert() throws {
        let zoo = try ZooStore()
        let old = try zoo.insert("Category", ["name": .text("a"), "rank": .integer(1)])
        let insertion = try zoo.insertion("Category", ["name": .text("a"), "rank": .integer(2)])
        let animal = try zoo.insertion("Animal", ["name": .text("x"), "category": .reference(insertion.id)])
        let saved = try zoo.save { $0.insertions = [animal, insertion] }
        #expect(saved.inserted[1].id == old.id)
        #expect(saved.inserted[1].version == 2)
        #expect(saved.inserted.map(\.replaced) == [false, true])
        let rows = try zoo.fetch("Category")
        #expect(rows.map(\.id) == [old.id])
        #expect(try zoo.value(rows[0], "rank") == .integer(2))
        #expect(try zoo.value(try zoo.snapshot(saved.inserted[0].id), "category") == .reference(old.id))
    }

    @Test("of two equal insertions the later one wins, in one row")
    func collisionWithinTheSave() throws {
        let zoo = try ZooStore()
        let first = try zoo.insertion("Category", ["name": .text("a"), "rank": .integer(1)])
        let second = try zoo.insertion("Category", ["name": .text("a"), "rank": .integer(2)])
        let animals = try [first, second].map {
            try zoo.insertion("Animal", ["name": .text("x"), "category": .reference($0.id)])
        }
        let saved = try zoo.save { $0.insertions = [first, second] + animals }
        #expect(saved.inserted[0].id == saved.inserted[1].id)
        #expect(saved.inserted.prefix(2).map(\.replaced) == [false, true])
        let rows = try zoo.fetch("Category")
        #expect(rows.count == 1)
        #expect(try zoo.value(rows[0], "rank") == .integer(2))
        #expect(try zoo.members(rows[0].id, "animals").count == 2)
    }

    @Test("the versions of a save are those of the rows, however many insertions and updates share one")
    func sharedVersions() throws {
        let zoo = try ZooStore()
        let old = try zoo.insert("Category", ["name": .text("a")])
        let other = try zoo.insert("Category", ["name": .text("z")])
        let saved = try zoo.save {
            $0.updates = [try zoo.update(other, ["rank": .integer(9)]), try zoo.update(old, ["rank": .integer(1)])]
            $0.insertions = try ["a", "b", "a", "a", "b"].enumerated().map {
                try zoo.insertion("Category", ["name": .text($1), "rank": .integer(Int64($0))])
            }
        }
        #expect(saved.updatedVersions == [2, 3])
        #expect(saved.inserted.map(\.version) == [3, 1, 3, 3, 1])
        for row in saved.inserted { #expect(try zoo.snapshot(row.id).version == row.version) }
        #expect(try zoo.snapshot(old.id).version == 3)
        #expect(try zoo.value(try zoo.snapshot(old.id), "rank") == .integer(3))
    }

    @Test("a reference in an update to an inserted row refers to the row that it replaced")
    func updateRefersToReplaced() throws {
        let zoo = try ZooStore()
        let old = try zoo.insert("Category", ["name": .text("a")])
        let animal = try zoo.insert("Animal", ["name": .text("x")])
        let insertion = try zoo.insertion("Category", ["name": .text("a")])
        try zoo.save {
            $0.insertions = [insertion]
            $0.updates = [try zoo.update(animal, ["category": .reference(insertion.id)])]
        }
        #expect(try zoo.value(try zoo.snapshot(animal.id), "category") == .reference(old.id))
        #expect(try zoo.snapshot(animal.id).version == 2)
    }

    @Test("a name freed by a deletion or an update of the same save can be taken")
    func freedNames() throws {
        let zoo = try ZooStore()
        let a = try zoo.insert("Category", ["name": .text("a")])
        let b = try zoo.insert("Category", ["name": .text("b")])
        let saved = try zoo.save {
            $0.deletions = [try zoo.deletion(a)]
            $0.updates = [try zoo.update(b, ["name": .text("c")])]
            $0.insertions = [
                try zoo.insertion("Category", ["name": .text("a")]),
                try zoo.insertion("Category", ["name": .text("b")]),
            ]
        }
        #expect(saved.inserted.allSatisfy { !$0.replaced })
        #expect(try zoo.fetch("Category").count == 3)
    }

    @Test("updates may pass on a name, or swap names")
    func exchangedNames() throws {
        let zoo = try ZooStore()
        let rows = try ["a", "b", "c"].map { try zoo.insert("Category", ["name": .text($0)]) }
        try zoo.save {
            $0.updates = [
                try zoo.update(rows[0], ["name": .text("b")]), try zoo.update(rows[1], ["name": .text("a")]),
            ]
        }
        #expect(try zoo.names("Category", .constant(true)) == ["b", "a", "c"])
        let now = try zoo.fetch("Category")
        try zoo.save {
            $0.updates = [
                try zoo.update(now[0], ["name": .text("c")]), try zoo.update(now[2], ["name": .text("d")]),
            ]
        }
        #expect(try zoo.names("Category", .constant(true)) == ["c", "a", "d"])
        #expect(try zoo.fetch("Category").map(\.version) == [3, 2, 2])
    }

    @Test("NULL never conflicts, so nothing is replaced")
    func nilIsFree() throws {
        let zoo = try ZooStore()
        for _ in 0..<2 { try zoo.insert("Category", [:]) }
        #expect(try zoo.fetch("Category").count == 2)
    }

    @Test("new members get order keys in gaps, existing ones keep theirs, a full gap renumbers all")
    func orderKeys() {
        func changes(_ order: [Int64], _ existing: [Int64: Int64]) -> [Int64: Int64] {
            Dictionary(
                uniqueKeysWithValues: OrderKeys.changes(order: order, existing: existing).map { ($0.member, $0.key) })
        }
        #expect(changes([1, 2, 3], [:]) == [1: 2048, 2: 3072, 3: 4096])
        #expect(changes([1, 2, 3], [1: 2048, 2: 3072, 3: 4096]) == [:])
        #expect(changes([1, 9, 2], [1: 2048, 2: 3072]) == [9: 2560])
        #expect(changes([1, 2, 9], [1: 2048, 2: 3072]) == [9: 4096])
        #expect(changes([2, 1], [1: 2048, 2: 3072]).count == 1)
        #expect(changes([1, 9, 2], [1: 5, 2: 6]) == [1: 2048, 9: 3072, 2: 4096])
        #expect(changes([], [1: 5]) == [:])
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
            var random = SeededGenerator(seed: seed)
            var keys: [Int64: Int64] = [:]
            for _ in 0..<10 {
                let order = (1...12).map(Int64.init).shuffled(using: &random).prefix(
                    Int.random(in: 0...12, using: &random))
                for (member, key) in OrderKeys.changes(order: Array(order), existing: keys) { keys[member] = key }
                let sorted = order.sorted { keys[$0] ?? 0 < keys[$1] ?? 0 }
                #expect(sorted == Array(order), "seed \(seed)")
                #expect(Set(order.compactMap { keys[$0] }).count == order.count, "seed \(seed)")
            }
        }
    }
}
