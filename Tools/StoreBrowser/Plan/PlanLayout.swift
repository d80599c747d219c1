import Foundation

/// Positions of a plan's boxes: columns by distance from the roots, with taller boxes for more rows.
struct PlanLayout: Sendable {
    struct Box: Sendable {
        var x = 0.0
        var y = 0.0
        var height: Double
        /// Heights of incoming arrows from the top of the box, by index in `PlanGraph.edges`.
        var ports: [Int: Double] = [:]

        var middle: Double { y + height / 2 }
    }

    private(set) var boxes: [Box]
    private(set) var width = 0.0
    private(set) var height = 0.0

    static let boxWidth = 144.0
    private static let leastHeight = 78.0
    static let lineHeight = 16.0
    private static let rowGap = 24.0
    private static let portHeight = 38.0
    private static let leastGap = 100.0

    init(_ graph: PlanGraph) {
        boxes = graph.nodes.indices.map { place in
            let node = graph.nodes[place]
            let incoming = graph.edges.filter { $0.to == place }.count
            let size =
                Self.leastHeight + 15 * log10(Double(max(1, node.total)))
                + Self.lineHeight * Double(PlanDrawing.lines(node).count)
            return Box(height: max(size, Double(incoming) * Self.portHeight + 8).rounded())
        }
        for (place, _) in boxes.enumerated() { setPorts(of: place, graph) }
        stand(graph)
    }

    private mutating func setPorts(of place: Int, _ graph: PlanGraph) {
        let incoming = graph.edges.indices.filter { graph.edges[$0].to == place }
        let start = boxes[place].height / 2 - Double(incoming.count - 1) * Self.portHeight / 2
        for (number, edge) in incoming.enumerated() {
            boxes[place].ports[edge] = start + Double(number) * Self.portHeight
        }
    }

    private mutating func stand(_ graph: PlanGraph) {
        let last = graph.nodes.map(\.level).max() ?? 0
        var columns = (0...last).map { level in graph.nodes.indices.filter { graph.nodes[$0].level == level } }
        // Boxes are sorted like the boxes that point to them.
        for level in columns.indices.dropFirst() {
            let order = Dictionary(
                columns[level - 1].enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            columns[level] = columns[level].enumerated().sorted { left, right in
                let (one, other) = (source(left.element, graph, order), source(right.element, graph, order))
                return (one, left.offset) < (other, right.offset)
            }.map(\.element)
        }
        let heights = columns.map { column in
            column.reduce(0.0) { $0 + boxes[$1].height + Self.rowGap } - Self.rowGap
        }
        height = heights.max() ?? 0
        var x = 0.0
        for (level, column) in columns.enumerated() {
            if level > 0 { x += gap(before: column, graph) }
            var y = (height - heights[level]) / 2
            for place in column {
                (boxes[place].x, boxes[place].y) = (x, y)
                y += boxes[place].height + Self.rowGap
            }
            x += Self.boxWidth
        }
        width = x
    }

    private func source(_ place: Int, _ graph: PlanGraph, _ order: [Int: Int]) -> Double {
        let sources = graph.edges.filter { $0.to == place }.flatMap { $0.from.compactMap { order[$0] } }.map(
            Double.init)
        return sources.isEmpty ? .infinity : sources.reduce(0, +) / Double(sources.count)
    }

    /// The gap that fits the labels of the arrows.
    private func gap(before column: [Int], _ graph: PlanGraph) -> Double {
        let labels = graph.edges.filter { column.contains($0.to) }.map(PlanDrawing.labelWidth)
        return max(Self.leastGap, (labels.max() ?? 0) + 58)
    }
}
