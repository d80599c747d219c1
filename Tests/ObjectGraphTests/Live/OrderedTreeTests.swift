import Testing

@testable import ObjectGraph

@Suite("Ordered trees")
struct OrderedTreeTests {
    /// The numbers are ordered by these keys.
    private struct Reference {
        var keys: [UInt32: Int] = [:]
        var sorted: [UInt32] = []
        var marked: Set<UInt32> = []

        func precedes(_ one: UInt32, _ other: UInt32) -> Bool { (keys[one] ?? 0, one) < (keys[other] ?? 0, other) }
    }

    private static func check(_ tree: OrderedTree, _ reference: Reference) {
        #expect(tree.count == reference.sorted.count)
        #expect(tree.all == reference.sorted)
        let marks = reference.sorted.indices.filter { reference.marked.contains(reference.sorted[$0]) }
        #expect(tree.markCount == marks.count)
        for (index, position) in marks.enumerated() {
            #expect(tree.position(ofMark: index) == position)
            #expect(tree.marks(before: position) == index)
            #expect(tree.marks(before: position + 1) == index + 1)
        }
        #expect(tree.position(ofMark: marks.count) == tree.count)
        for (position, number) in reference.sorted.enumerated() {
            #expect(tree[position] == number)
            #expect(tree.position(of: number) == position)
            #expect(tree.isMarked(number) == reference.marked.contains(number))
        }
    }

    @Test("Trees give the positions of a sorted array", arguments: 0..<12)
    func randomChanges(seed: UInt64) {
        var random = Steps(state: seed)
        var reference = Reference()
        for number in 0..<UInt32(random.roll(700)) { reference.keys[number] = random.roll(300) }
        reference.sorted = reference.keys.keys.sorted { reference.precedes($0, $1) }
        reference.marked = Set(reference.sorted.filter { _ in random.roll(9) == 0 })
        var tree = OrderedTree(reference.sorted) { reference.marked.contains(reference.sorted[$0]) }
        Self.check(tree, reference)
        for step in 0..<1500 {
            // Grows at first, and shrinks to few numbers.
            if random.roll(1000) < (step < 700 ? 700 : 250) {
                var number = UInt32(random.roll(2000))
                while reference.keys[number] != nil { number += 1 }
                reference.keys[number] = random.roll(300)
                tree.insert(number) { reference.precedes($0, number) }
                let place = reference.sorted.firstIndex { !reference.precedes($0, number) } ?? reference.sorted.count
                reference.sorted.insert(number, at: place)
                #expect(tree.position(of: number) == place)
            } else if !reference.sorted.isEmpty {
                let place = random.roll(reference.sorted.count)
                let number = reference.sorted.remove(at: place)
                if random.roll(2) == 0 { tree.setMark(!tree.isMarked(number), of: number) }
                tree.remove(number)
                reference.marked.remove(number)
                reference.keys[number] = nil
                #expect(!tree.contains(number))
            }
            if !reference.sorted.isEmpty {
                let number = reference.sorted[random.roll(reference.sorted.count)]
                let isMarked = random.roll(2) == 0
                tree.setMark(isMarked, of: number)
                if isMarked { reference.marked.insert(number) } else { reference.marked.remove(number) }
            }
            if step % 150 == 0 { Self.check(tree, reference) }
        }
        Self.check(tree, reference)
    }

    @Test("Trees that grow at one end stay shallow")
    func sortedInsertions() {
        var tree = OrderedTree()
        for number in 0..<UInt32(100_000) { tree.insert(number) { _ in true } }
        func depth(_ node: UInt32) -> Int {
            node == OrderedTree.none
                ? 0 : 1 + max(depth(tree.nodes[Int(node)].left), depth(tree.nodes[Int(node)].right))
        }
        #expect(tree.all == Array(0..<100_000))
        #expect(depth(tree.root) < 60)
        for number in 0..<UInt32(100_000) { tree.remove(number) }
        #expect(tree.isEmpty)
    }

    @Test("A range of positions is passed over node by node")
    func ranges() {
        let tree = OrderedTree(Array(0..<1000))
        var found: [UInt32] = []
        tree.forEach(in: 57..<175) { found.append($0) }
        #expect(found == Array(57..<175))
        tree.forEach(in: 30..<30) { _ in Issue.record("an empty range has no numbers") }
    }
}

extension Steps {
    fileprivate mutating func roll(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
}
