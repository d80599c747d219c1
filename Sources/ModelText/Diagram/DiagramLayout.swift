/// Positions of boxes in columns, with owners to the left of their members, so that most lines run in one direction and
/// few cross.
///
/// A line that passes a column gets a narrow node of its own there, so that it does not run through boxes.
struct DiagramLayout {
    struct Node {
        /// `nil` for the node of a passing line.
        let box: Int?
        var column: Int
        var width: Double
        var height: Double
        var x = 0.0
        var y = 0.0

        var middle: Double { y + height / 2 }
    }

    private(set) var nodes: [Node] = []
    /// For each edge, the nodes on its path, including both ends.
    private(set) var routes: [[Int]] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    private var columns: [[Int]] = []
    private var neighbours: [[Int]] = []

    static let columnGap = 90.0
    static let rowGap = 28.0
    private static let passHeight = 10.0

    init(_ boxes: [DiagramBox], _ edges: [DiagramEdge]) {
        nodes = boxes.indices.map { Node(box: $0, column: 0, width: boxes[$0].width, height: boxes[$0].height) }
        let places = Dictionary(
            boxes.enumerated().map { ($1.entityIndex, $0) }, uniquingKeysWith: { first, _ in first })
        let links = edges.map { (places[$0.from.entity] ?? 0, places[$0.to.entity] ?? 0) }
        assignColumns(links)
        routes = links.map { addRoute(from: $0.0, to: $0.1) }
        neighbours = Array(repeating: [], count: nodes.count)
        for route in routes {
            for (one, other) in zip(route, route.dropFirst()) where one != other {
                neighbours[one].append(other)
                neighbours[other].append(one)
            }
        }
        orderColumns()
        place()
    }

    // MARK: Columns

    /// A box's column is its longest distance from a box without an owner, ignoring links that point backwards.
    private mutating func assignColumns(_ links: [(Int, Int)]) {
        var forward: [[Int]] = Array(repeating: [], count: nodes.count)
        for (from, to) in links where from != to { forward[from].append(to) }
        var state = Array(repeating: 0, count: nodes.count)
        var order: [Int] = []
        var kept: [[Int]] = Array(repeating: [], count: nodes.count)
        func visit(_ node: Int) {
            state[node] = 1
            for next in forward[node] where state[next] != 1 {
                kept[node].append(next)
                if state[next] == 0 { visit(next) }
            }
            state[node] = 2
            order.append(node)
        }
        let entered = Set(links.filter { $0.0 != $0.1 }.map(\.1))
        for node in nodes.indices where state[node] == 0 && !entered.contains(node) { visit(node) }
        for node in nodes.indices where state[node] == 0 { visit(node) }
        for node in order.reversed() {
            for next in kept[node] { nodes[next].column = max(nodes[next].column, nodes[node].column + 1) }
        }
        pullRight(forward)
        distributeUnconnected(links)
    }

    /// Moves an owner next to its members, if it would be further left.
    private mutating func pullRight(_ forward: [[Int]]) {
        for node in nodes.indices.sorted(by: { nodes[$0].column > nodes[$1].column }) {
            let ahead = forward[node].map { nodes[$0].column }.filter { $0 > nodes[node].column }
            let isEntered = forward.contains { $0.contains(node) }
            if let nearest = ahead.min(), !isEntered { nodes[node].column = nearest - 1 }
        }
    }

    /// Distributes boxes without lines over the existing columns, or over about as many as fit a page.
    private mutating func distributeUnconnected(_ links: [(Int, Int)]) {
        let linked = Set(links.filter { $0.0 != $0.1 }.flatMap { [$0.0, $0.1] })
        let unconnected = nodes.indices.filter { !linked.contains($0) }
        let used = nodes.indices.filter(linked.contains).map { nodes[$0].column }.max().map { $0 + 1 } ?? 0
        let count = max(used, min(unconnected.count, 4), 1)
        var heights = Array(repeating: 0.0, count: count)
        for node in nodes.indices where linked.contains(node) {
            heights[nodes[node].column] += nodes[node].height + Self.rowGap
        }
        for node in unconnected {
            let column = heights.indices.min { heights[$0] < heights[$1] } ?? 0
            nodes[node].column = column
            heights[column] += nodes[node].height + Self.rowGap
        }
    }

    private mutating func addRoute(from: Int, to: Int) -> [Int] {
        let (first, last) = (nodes[from].column, nodes[to].column)
        guard abs(first - last) > 1 else { return [from, to] }
        var route = [from]
        for column in stride(from: first + (first < last ? 1 : -1), to: last, by: first < last ? 1 : -1) {
            route.append(nodes.count)
            nodes.append(Node(box: nil, column: column, width: 0, height: Self.passHeight))
        }
        return route + [to]
    }

    // MARK: Order within columns

    private mutating func orderColumns() {
        let count = (nodes.map(\.column).max() ?? 0) + 1
        columns = (0..<count).map { column in nodes.indices.filter { nodes[$0].column == column } }
        var best = columns
        var fewest = crossings(columns)
        for round in 0..<24 {
            let sweep = round % 2 == 0 ? Array(columns.indices) : columns.indices.reversed()
            for column in sweep { sortByNeighbours(column) }
            let found = crossings(columns)
            if found < fewest { (best, fewest) = (columns, found) }
        }
        columns = best
    }

    private func positions(_ columns: [[Int]]) -> [Double] {
        var positions = Array(repeating: 0.0, count: nodes.count)
        for column in columns {
            for (place, node) in column.enumerated() { positions[node] = (Double(place) + 0.5) / Double(column.count) }
        }
        return positions
    }

    private mutating func sortByNeighbours(_ column: Int) {
        let positions = positions(columns)
        let keys = columns[column].map { node -> Double in
            let others = neighbours[node].filter { nodes[$0].column != column }.map { positions[$0] }
            // Sorts boxes without lines last.
            if neighbours[node].allSatisfy({ $0 == node }) { return 2 }
            return others.isEmpty ? positions[node] : others.reduce(0, +) / Double(others.count)
        }
        columns[column] = zip(columns[column], keys).enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
    }

    private func crossings(_ columns: [[Int]]) -> Int {
        let positions = positions(columns)
        let pieces = routes.flatMap { zip($0, $0.dropFirst()) }
            .map { nodes[$0].column <= nodes[$1].column ? ($0, $1) : ($1, $0) }.filter {
                nodes[$0.0].column != nodes[$0.1].column
            }
        var count = 0
        for (place, one) in pieces.enumerated() {
            for other in pieces[(place + 1)...] where nodes[one.0].column == nodes[other.0].column {
                let left = positions[one.0] - positions[other.0]
                let right = positions[one.1] - positions[other.1]
                if left * right < 0 { count += 1 }
            }
        }
        return count
    }

    // MARK: Coordinates

    private mutating func place() {
        var x = 0.0
        for column in columns {
            let width = column.map { nodes[$0].width }.max() ?? 0
            var y = 0.0
            for node in column {
                nodes[node].x = x + (width - nodes[node].width) / 2
                nodes[node].y = y
                y += nodes[node].height + Self.rowGap
            }
            x += width + Self.columnGap
        }
        width = x - Self.columnGap
        for round in 0..<40 {
            for column in round % 2 == 0 ? Array(columns.indices) : columns.indices.reversed() { placeBoxes(column) }
        }
        let top = nodes.map(\.y).min() ?? 0
        for node in nodes.indices { nodes[node].y -= top }
        height = nodes.map { $0.y + $0.height }.max() ?? 0
    }

    /// Moves each node of a column towards its neighbours, then separates overlapping nodes without changing their
    /// order.
    private mutating func placeBoxes(_ column: Int) {
        let order = columns[column]
        var wanted = order.map { node -> Double in
            let others = neighbours[node].filter { nodes[$0].column != column }
            guard !others.isEmpty else { return neighbours[node].isEmpty ? .infinity : nodes[node].y }
            let middle = others.reduce(0.0) { $0 + nodes[$1].middle } / Double(others.count)
            return middle - nodes[node].height / 2
        }
        // Nodes that would overlap form a group, which moves by the average of their shifts.
        var groups: [(first: Int, count: Int, shift: Double)] = []
        var offsets: [Double] = []
        var offset = 0.0
        for node in order {
            offsets.append(offset)
            offset += nodes[node].height + Self.rowGap
        }
        for place in order.indices { wanted[place] -= offsets[place] }
        for place in order.indices {
            // A box without lines follows the box above it.
            if wanted[place] == .infinity { wanted[place] = groups.last?.shift ?? 0 }
            groups.append((place, 1, wanted[place]))
            while groups.count > 1, let last = groups.last, groups[groups.count - 2].shift > last.shift {
                let before = groups[groups.count - 2]
                let count = before.count + last.count
                let shift = (before.shift * Double(before.count) + last.shift * Double(last.count)) / Double(count)
                groups.removeLast(2)
                groups.append((before.first, count, shift))
            }
        }
        for group in groups {
            for place in group.first..<group.first + group.count {
                nodes[order[place]].y = offsets[place] + group.shift
            }
        }
    }
}
