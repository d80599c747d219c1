/// Numbers in an order given by the caller: from a number to its position and back, insertion and removal take
/// O(log n).
///
/// A binary tree whose nodes hold up to 64 neighbouring numbers each, and count the numbers below them. Nodes have
/// pseudo-random priorities, and none has a higher priority than its parent, so that the expected depth is logarithmic
/// whatever the order of the changes (a treap). All nodes are in a few flat arrays: with eight bytes for each number
/// and a node's twenty-four bytes for some fifty of them, the tree takes about ten bytes a number.
///
/// Numbers can be marked, as the first ones of sections are; nodes count the marked numbers, too.
struct OrderedTree {
    struct Node {
        var left = OrderedTree.none
        var right = OrderedTree.none
        var parent = OrderedTree.none
        /// The numbers in the node and below it, and the marked ones among them.
        var size: UInt32 = 0
        var marks: UInt32 = 0
        /// The same of the node alone.
        var fill: UInt16 = 0
        var ownMarks: UInt16 = 0
    }

    /// The parent of the root, and the child of a leaf. This node stays empty, so that no case needs a test for it.
    static let none: UInt32 = 0
    static let capacity = 64
    /// Nodes made of sorted numbers have room for insertions.
    private static let initialFill = 58
    /// Emptier nodes are joined with a neighbour.
    static let leastFill = 16
    /// The flag of marked numbers in `numbers`; numbers are smaller.
    static let mark: UInt32 = 1 << 31

    var nodes: [Node] = [Node()]
    /// The numbers of each node, in its `capacity` places.
    var numbers: [UInt32] = Array(repeating: 0, count: OrderedTree.capacity)
    /// The node of each number; `none` for numbers that are not in the tree.
    var nodeOfNumber: [UInt32] = []
    var root = OrderedTree.none
    var freeNodes: [UInt32] = []

    init() {}

    /// - Parameters:
    ///   - sorted: Different numbers, in order.
    ///   - isMarked: Whether the number at a position is marked.
    init(_ sorted: [UInt32], isMarked: (Int) -> Bool = { _ in false }) {
        let nodeCount = sorted.count / Self.initialFill + 2
        nodes.reserveCapacity(nodeCount)
        numbers.reserveCapacity(nodeCount * Self.capacity)
        nodeOfNumber = Array(repeating: Self.none, count: sorted.count)
        var rightSpine: [UInt32] = []
        for start in stride(from: 0, to: sorted.count, by: Self.initialFill) {
            let node = makeNode()
            for position in start..<min(start + Self.initialFill, sorted.count) {
                append(sorted[position], isMarked: isMarked(position), to: node)
            }
            var below = Self.none
            while let last = rightSpine.last, Self.priority(last) < Self.priority(node) {
                below = rightSpine.removeLast()
                count(below)
            }
            setLeft(of: node, to: below)
            if let last = rightSpine.last { setRight(of: last, to: node) }
            rightSpine.append(node)
        }
        root = rightSpine.first ?? Self.none
        while let node = rightSpine.popLast() { count(node) }
    }

    var count: Int { Int(nodes[Int(root)].size) }
    var isEmpty: Bool { root == Self.none }
    /// The number of marked numbers.
    var markCount: Int { Int(nodes[Int(root)].marks) }

    /// Depends on the place of a node only, which the caller's data does not determine.
    static func priority(_ node: UInt32) -> UInt32 {
        var bits = UInt64(node) &* 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        return UInt32(truncatingIfNeeded: bits >> 32)
    }
}

// MARK: - Reading

extension OrderedTree {
    func contains(_ number: UInt32) -> Bool {
        Int(number) < nodeOfNumber.count && nodeOfNumber[Int(number)] != Self.none
    }

    /// Returns the number at a position, which must exist.
    subscript(position: Int) -> UInt32 {
        var (node, rest) = (root, position)
        while true {
            let left = size(nodes[Int(node)].left)
            if rest < left {
                node = nodes[Int(node)].left
            } else if rest < left + fill(node) {
                return numbers[Int(node) * Self.capacity + rest - left] & ~Self.mark
            } else {
                rest -= left + fill(node)
                node = nodes[Int(node)].right
                precondition(node != Self.none, "There is no number at this position.")
            }
        }
    }

    /// Returns the position of a number in the tree.
    func position(of number: UInt32) -> Int {
        let node = nodeOfNumber[Int(number)]
        return place(of: number, in: node) + countBefore(node, size: { Int($0.size) }, own: { Int($0.fill) })
    }

    /// Returns the position of the first number that does not precede the wanted place.
    /// - Parameter precedes: Whether a number precedes it; true for a prefix of the numbers.
    func firstPosition(where precedes: (UInt32) -> Bool) -> Int {
        var (node, before) = (root, 0)
        while node != Self.none {
            let (first, last) = (place(0, of: node), place(fill(node) - 1, of: node))
            if !precedes(first) {
                node = nodes[Int(node)].left
            } else if precedes(last) {
                before += size(nodes[Int(node)].left) + fill(node)
                node = nodes[Int(node)].right
            } else {
                return before + size(nodes[Int(node)].left) + searched(node, precedes)
            }
        }
        return before
    }

    /// Passes the numbers of a range of positions, in order.
    func forEach(in range: Range<Int>, _ body: (UInt32) -> Void) {
        guard !range.isEmpty else { return }
        let first = self[range.lowerBound]
        var node = nodeOfNumber[Int(first)]
        var index = place(of: first, in: node)
        for _ in range {
            if index == fill(node) { (node, index) = (successor(of: node), 0) }
            body(place(index, of: node))
            index += 1
        }
    }

    /// All numbers in order.
    var all: [UInt32] {
        var all: [UInt32] = []
        all.reserveCapacity(count)
        forEach(in: 0..<count) { all.append($0) }
        return all
    }

    // MARK: Marks

    func isMarked(_ number: UInt32) -> Bool {
        let node = nodeOfNumber[Int(number)]
        return numbers[Int(node) * Self.capacity + place(of: number, in: node)] & Self.mark != 0
    }

    /// The number of marked numbers before a position.
    func marks(before position: Int) -> Int {
        guard position < count else { return markCount }
        let number = self[position]
        let node = nodeOfNumber[Int(number)]
        let start = Int(node) * Self.capacity
        let own = (0..<place(of: number, in: node)).reduce(0) { $0 + (numbers[start + $1] & Self.mark != 0 ? 1 : 0) }
        return own + countBefore(node, size: { Int($0.marks) }, own: { Int($0.ownMarks) })
    }

    /// Returns the position of a marked number, by its index among these; the end of the tree beyond the last.
    func position(ofMark index: Int) -> Int {
        guard index < markCount else { return count }
        var (node, rest) = (root, max(0, index))
        while true {
            let left = Int(nodes[Int(nodes[Int(node)].left)].marks)
            if rest < left {
                node = nodes[Int(node)].left
            } else if rest < left + Int(nodes[Int(node)].ownMarks) {
                return position(of: markedNumber(rest - left, of: node))
            } else {
                rest -= left + Int(nodes[Int(node)].ownMarks)
                node = nodes[Int(node)].right
            }
        }
    }

    private func markedNumber(_ index: Int, of node: UInt32) -> UInt32 {
        let start = Int(node) * Self.capacity
        let marked = (0..<fill(node)).lazy.map { numbers[start + $0] }.filter { $0 & Self.mark != 0 }
        return (marked.dropFirst(index).first ?? 0) & ~Self.mark
    }

    // MARK: Parts

    func size(_ node: UInt32) -> Int { Int(nodes[Int(node)].size) }
    func fill(_ node: UInt32) -> Int { Int(nodes[Int(node)].fill) }
    func place(_ index: Int, of node: UInt32) -> UInt32 { numbers[Int(node) * Self.capacity + index] & ~Self.mark }

    func place(of number: UInt32, in node: UInt32) -> Int {
        let start = Int(node) * Self.capacity
        for place in 0..<fill(node) where numbers[start + place] & ~Self.mark == number { return place }
        // Insertions, splits and removals keep `nodeOfNumber` up to date, whatever the caller's data.
        preconditionFailure("The node of a number holds it.")
    }

    private func searched(_ node: UInt32, _ precedes: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, fill(node))
        while low < high {
            let middle = (low + high) / 2
            if precedes(place(middle, of: node)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Counts in the nodes before one node.
    private func countBefore(_ node: UInt32, size: (Node) -> Int, own: (Node) -> Int) -> Int {
        var before = size(nodes[Int(nodes[Int(node)].left)])
        var (child, parent) = (node, nodes[Int(node)].parent)
        while parent != Self.none {
            if nodes[Int(parent)].right == child {
                before += size(nodes[Int(nodes[Int(parent)].left)]) + own(nodes[Int(parent)])
            }
            (child, parent) = (parent, nodes[Int(parent)].parent)
        }
        return before
    }

    func successor(of node: UInt32) -> UInt32 {
        var next = nodes[Int(node)].right
        if next != Self.none {
            while nodes[Int(next)].left != Self.none { next = nodes[Int(next)].left }
            return next
        }
        var child = node
        next = nodes[Int(node)].parent
        while next != Self.none, nodes[Int(next)].right == child { (child, next) = (next, nodes[Int(next)].parent) }
        return next
    }
}
