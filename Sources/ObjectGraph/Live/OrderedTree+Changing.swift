/// Insertion and removal. Each changes one node, and the counts of those above it.
extension OrderedTree {
    /// Inserts a number that is not in the tree, without a mark.
    /// - Parameter precedes: Whether a number precedes the new one; true for a prefix of the numbers.
    mutating func insert(_ number: UInt32, after precedes: (UInt32) -> Bool) {
        guard root != Self.none else {
            root = makeNode()
            append(number, isMarked: false, to: root)
            count(root)
            return
        }
        var node = root
        while true {
            if !precedes(place(0, of: node)) {
                let left = nodes[Int(node)].left
                if left == Self.none { return insert(number, at: 0, of: node) }
                node = left
            } else if precedes(place(fill(node) - 1, of: node)) {
                let right = nodes[Int(node)].right
                if right == Self.none { return insert(number, at: fill(node), of: node) }
                node = right
            } else {
                var (low, high) = (0, fill(node))
                while low < high {
                    let middle = (low + high) / 2
                    if precedes(place(middle, of: node)) { low = middle + 1 } else { high = middle }
                }
                return insert(number, at: low, of: node)
            }
        }
    }

    /// Removes a number of the tree.
    mutating func remove(_ number: UInt32) {
        let node = nodeOfNumber[Int(number)]
        let start = Int(node) * Self.capacity
        let place = place(of: number, in: node)
        let isMarked = numbers[start + place] & Self.mark != 0
        for next in place + 1..<max(place + 1, fill(node)) { numbers[start + next - 1] = numbers[start + next] }
        nodeOfNumber[Int(number)] = Self.none
        nodes[Int(node)].fill -= 1
        if isMarked { nodes[Int(node)].ownMarks -= 1 }
        var above = node
        while above != Self.none {
            nodes[Int(above)].size -= 1
            if isMarked { nodes[Int(above)].marks -= 1 }
            above = nodes[Int(above)].parent
        }
        if fill(node) < Self.leastFill { joinWithNext(node) }
    }

    mutating func setMark(_ isMarked: Bool, of number: UInt32) {
        let node = nodeOfNumber[Int(number)]
        let place = Int(node) * Self.capacity + place(of: number, in: node)
        guard (numbers[place] & Self.mark != 0) != isMarked else { return }
        numbers[place] ^= Self.mark
        nodes[Int(node)].ownMarks = isMarked ? nodes[Int(node)].ownMarks + 1 : nodes[Int(node)].ownMarks - 1
        countUpwards(from: node)
    }

    // MARK: Numbers of a node

    private mutating func insert(_ number: UInt32, at place: Int, of node: UInt32) {
        if fill(node) == Self.capacity {
            let half = split(node)
            let left = fill(node)
            return place <= left ? insert(number, at: place, of: node) : insert(number, at: place - left, of: half)
        }
        let start = Int(node) * Self.capacity
        for next in stride(from: fill(node), to: place, by: -1) { numbers[start + next] = numbers[start + next - 1] }
        numbers[start + place] = number
        setNode(node, of: number)
        nodes[Int(node)].fill += 1
        var above = node
        while above != Self.none {
            nodes[Int(above)].size += 1
            above = nodes[Int(above)].parent
        }
    }

    mutating func append(_ number: UInt32, isMarked: Bool, to node: UInt32) {
        numbers[Int(node) * Self.capacity + fill(node)] = isMarked ? number | Self.mark : number
        setNode(node, of: number)
        nodes[Int(node)].fill += 1
        if isMarked { nodes[Int(node)].ownMarks += 1 }
    }

    private mutating func setNode(_ node: UInt32, of number: UInt32) {
        while nodeOfNumber.count <= Int(number) { nodeOfNumber.append(Self.none) }
        nodeOfNumber[Int(number)] = node
    }

    /// Moves the upper half of a node's numbers to a new node behind it.
    private mutating func split(_ node: UInt32) -> UInt32 {
        let half = makeNode()
        let kept = Self.capacity / 2
        for place in kept..<fill(node) {
            let entry = numbers[Int(node) * Self.capacity + place]
            append(entry & ~Self.mark, isMarked: entry & Self.mark != 0, to: half)
        }
        nodes[Int(node)].ownMarks -= nodes[Int(half)].ownMarks
        nodes[Int(node)].fill = UInt16(kept)
        insertNode(half, after: node)
        return half
    }

    /// Moves the few numbers of a node to a neighbour, if they fit.
    private mutating func joinWithNext(_ node: UInt32) {
        if fill(node) == 0 { return removeNode(node) }
        let next = successor(of: node)
        guard next != Self.none, fill(node) + fill(next) <= Self.capacity - Self.leastFill else { return }
        let start = Int(next) * Self.capacity
        for place in 0..<fill(next) {
            let entry = numbers[start + place]
            append(entry & ~Self.mark, isMarked: entry & Self.mark != 0, to: node)
        }
        nodes[Int(next)].fill = 0
        nodes[Int(next)].ownMarks = 0
        countUpwards(from: node)
        countUpwards(from: next)
        removeNode(next)
    }

    // MARK: Nodes

    mutating func makeNode() -> UInt32 {
        if let free = freeNodes.popLast() {
            nodes[Int(free)] = Node()
            return free
        }
        nodes.append(Node())
        numbers.append(contentsOf: repeatElement(0, count: Self.capacity))
        return UInt32(nodes.count - 1)
    }

    mutating func setLeft(of node: UInt32, to child: UInt32) {
        nodes[Int(node)].left = child
        if child != Self.none { nodes[Int(child)].parent = node }
    }

    mutating func setRight(of node: UInt32, to child: UInt32) {
        nodes[Int(node)].right = child
        if child != Self.none { nodes[Int(child)].parent = node }
    }

    /// Computes the counts of a node from its own and those of its children.
    mutating func count(_ node: UInt32) {
        let (left, right) = (Int(nodes[Int(node)].left), Int(nodes[Int(node)].right))
        nodes[Int(node)].size = nodes[left].size + nodes[right].size + UInt32(nodes[Int(node)].fill)
        nodes[Int(node)].marks = nodes[left].marks + nodes[right].marks + UInt32(nodes[Int(node)].ownMarks)
    }

    private mutating func countUpwards(from node: UInt32) {
        var node = node
        while node != Self.none {
            count(node)
            node = nodes[Int(node)].parent
        }
    }

    private mutating func insertNode(_ new: UInt32, after node: UInt32) {
        var place = nodes[Int(node)].right
        if place == Self.none {
            setRight(of: node, to: new)
        } else {
            while nodes[Int(place)].left != Self.none { place = nodes[Int(place)].left }
            setLeft(of: place, to: new)
        }
        countUpwards(from: new)
        while nodes[Int(new)].parent != Self.none, Self.priority(nodes[Int(new)].parent) < Self.priority(new) {
            rotateUp(new)
        }
    }

    /// Removes a node without numbers.
    private mutating func removeNode(_ node: UInt32) {
        while true {
            let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
            if left == Self.none || right == Self.none {
                replace(node, by: left == Self.none ? right : left)
                break
            }
            rotateUp(Self.priority(left) < Self.priority(right) ? right : left)
        }
        countUpwards(from: nodes[Int(node)].parent)
        nodes[Int(node)] = Node()
        freeNodes.append(node)
    }

    /// Puts a node, or none, in the place of another one.
    private mutating func replace(_ node: UInt32, by other: UInt32) {
        let parent = nodes[Int(node)].parent
        if other != Self.none { nodes[Int(other)].parent = parent }
        if parent == Self.none {
            root = other
        } else if nodes[Int(parent)].left == node {
            nodes[Int(parent)].left = other
        } else {
            nodes[Int(parent)].right = other
        }
    }

    private mutating func rotateUp(_ node: UInt32) {
        let parent = nodes[Int(node)].parent
        replace(parent, by: node)
        if nodes[Int(parent)].left == node {
            setLeft(of: parent, to: nodes[Int(node)].right)
            setRight(of: node, to: parent)
        } else {
            setRight(of: parent, to: nodes[Int(node)].left)
            setLeft(of: node, to: parent)
        }
        count(parent)
        count(node)
    }
}
