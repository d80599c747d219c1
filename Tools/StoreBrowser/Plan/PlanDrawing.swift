import StoreInspection

/// A plan's boxes and arrows as SVG, and as a list for small screens and screen readers.
struct PlanDrawing: Sendable {
    let graph: PlanGraph
    private let layout: PlanLayout

    private static let margin = 10.0
    /// Room below the boxes for arrows that point backwards.
    private static let below = 46.0
    private static let widestLabel = 190.0
    /// The smallest scale at which words are readable; on narrower screens the picture scrolls.
    private static let smallestScale = 0.74

    init(_ graph: PlanGraph) {
        self.graph = graph
        layout = PlanLayout(graph)
    }

    static func labelWidth(_ edge: PlanGraph.Edge) -> Double {
        min(widestLabel, max(SVGText.width(edge.relationship, size: 13.5), SVGText.width(ruleText(edge), size: 12.5)))
    }

    private static func ruleText(_ edge: PlanGraph.Edge) -> String { "\(edge.rule) · \(Amounts.count(edge.count))" }

    func svg(_ addresses: Addresses) -> Markup {
        let hasReturns = graph.edges.contains { !isForward($0) }
        let width = layout.width + 2 * Self.margin + (hasReturns ? 60 : 0)
        let height = layout.height + 2 * Self.margin + (hasReturns ? Self.below : 0)
        let kinds = ["cascade", "loose", "block"]
        let markers: [Markup] = kinds.map {
            """
            <marker id="tip-\($0)" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" \
            markerUnits="userSpaceOnUse" orient="auto"><path class="tip \($0)" d="M0 0 L10 5 L0 10 z"/></marker>
            """
        }
        // An empty SVG element keeps the minimum width.
        return """
            <svg class="plan-width" width="\(SVGText.number(Self.smallestScale * width))" height="0" aria-hidden="true"></svg>\
            <svg class="plan-picture" viewBox="0 0 \(SVGText.number(width)) \(SVGText.number(height))" \
            width="\(SVGText.number(width))" height="\(SVGText.number(height))" role="group" aria-label="The plan as a picture">
            <defs>\(markers)</defs><g transform="translate(\(SVGText.number(Self.margin)) \(SVGText.number(Self.margin)))">
            \(graph.edges.indices.map(arrow))\(graph.nodes.indices.map { box($0, addresses) })</g></svg>
            """
    }

    private func isForward(_ edge: PlanGraph.Edge) -> Bool {
        edge.from.allSatisfy { graph.nodes[edge.to].level > graph.nodes[$0].level }
    }

    // MARK: Arrows

    private func kind(_ edge: PlanGraph.Edge) -> String {
        switch graph.nodes[edge.to].kind {
        case .asked, .goes: "cascade"
        case .stays: "loose"
        case .blocks: "block"
        }
    }

    private func arrow(_ index: Int) -> Markup {
        let edge = graph.edges[index]
        let to = layout.boxes[edge.to]
        let number = SVGText.number
        let port = to.y + (to.ports[index] ?? to.height / 2)
        let sources = edge.from.map { layout.boxes[$0] }
        guard isForward(edge) else { return sources.map { returning(edge, $0, to) }.joined() }
        let flat = to.x - Self.labelWidth(edge) - 26
        // All arrows join before the label.
        let path = sources.map { from in
            let start = from.x + PlanLayout.boxWidth
            let bend = max(20, (flat - start) / 2)
            return "M\(number(start)) \(number(from.middle)) C\(number(start + bend)) \(number(from.middle)) "
                + "\(number(flat - bend)) \(number(port)) \(number(flat)) \(number(port)) H\(number(to.x - 1))"
        }.joined(separator: " ")
        return """
            <path class="arrow \(kind(edge))" d="\(path)" marker-end="url(#tip-\(kind(edge)))"/>\
            \(label(edge, x: to.x - 16, y: port))
            """
    }

    /// An arrow to a box in the same column, or in an earlier one.
    private func returning(_ edge: PlanGraph.Edge, _ from: PlanLayout.Box, _ to: PlanLayout.Box) -> Markup {
        let number = SVGText.number
        let path: String
        if from.x == to.x {
            let (right, out) = (from.x + PlanLayout.boxWidth, from.x + PlanLayout.boxWidth + 48)
            path =
                "M\(number(right)) \(number(from.middle)) C\(number(out)) \(number(from.middle)) "
                + "\(number(out)) \(number(to.middle)) \(number(right + 1)) \(number(to.middle))"
        } else {
            let low = layout.height + Self.below - 8
            let (start, end) = (from.x + PlanLayout.boxWidth / 2, to.x + PlanLayout.boxWidth / 2)
            path =
                "M\(number(start)) \(number(from.y + from.height)) C\(number(start)) \(number(low)) "
                + "\(number(end)) \(number(low)) \(number(end)) \(number(to.y + to.height + 1))"
        }
        return """
            <path class="arrow back \(kind(edge))" d="\(path)" marker-end="url(#tip-\(kind(edge)))">\
            <title>\(edge.relationship): \(Self.ruleText(edge))</title></path>
            """
    }

    private func label(_ edge: PlanGraph.Edge, x: Double, y: Double) -> Markup {
        """
        <text class="arrow-name \(kind(edge))" x="\(SVGText.number(x))" y="\(SVGText.number(y - 6))">\
        \(SVGText.cut(edge.relationship, size: 13.5, to: Self.widestLabel))</text>\
        <text class="arrow-rule \(kind(edge))" x="\(SVGText.number(x))" y="\(SVGText.number(y + 15))">\(Self.ruleText(edge))</text>
        """
    }

    // MARK: Boxes

    static func words(_ kind: PlanGraph.Node.Kind) -> String {
        switch kind {
        case .asked: "selected"
        case .goes: "deleted by cascade"
        case .stays: "stays, loses links"
        case .blocks: "blocks the delete"
        }
    }

    private func box(_ index: Int, _ addresses: Addresses) -> Markup {
        let (node, box) = (graph.nodes[index], layout.boxes[index])
        let number = SVGText.number
        let name = SVGText.cut(node.entity, size: 15, to: PlanLayout.boxWidth - 40)
        let lines = Self.lines(node)
        let middle = box.height / 2 - PlanLayout.lineHeight * Double(lines.count) / 2
        let more: [Markup] = lines.enumerated().map { place, line in
            let y = middle + 27 + PlanLayout.lineHeight * Double(place + 1)
            return """
                <text class="box-words" x="14" y="\(number(y))">\(SVGText.cut(line, size: 12.5, to: PlanLayout.boxWidth - 24))\
                <title>\(line)</title></text>
                """
        }
        let words = (["\(node.entity): \(Amounts.count(node.count)) \(Self.words(node.kind))"] + lines).joined(
            separator: ", ")
        return """
            <a href="\(addresses.rows(node.entity))" aria-label="\(words)"><g class="plan-box \(node.kind.rawValue)" \
            transform="translate(\(number(box.x)) \(number(box.y)))"><rect width="\(number(PlanLayout.boxWidth))" \
            height="\(number(box.height))" rx="10"/><text class="box-name" x="14" y="\(number(middle - 16))">\(name)</text>\
            <text class="box-count" x="14" y="\(number(middle + 9))">\(Amounts.count(node.count))</text>\
            <text class="box-words" x="14" y="\(number(middle + 27))">\(Self.words(node.kind))</text>\(more)</g></a>
            """
    }

    /// The lines below a box's number: relationships from the entity to itself, and further rows of the entity deleted
    /// by cascade.
    static func lines(_ node: PlanGraph.Node) -> [String] {
        let loops = node.loops.map { "↻ \($0.name) \(Amounts.count($0.count))" }
        guard node.along > 0 else { return loops }
        let others = node.along - node.loops.reduce(0) { $0 + $1.count }
        let ways = loops + (others > 0 ? ["↩ by others \(Amounts.count(others))"] : [])
        return ways + ["deleted too"]
    }

    // MARK: List

    /// The plan as nested lists.
    func tree(_ addresses: Addresses) -> Markup {
        var visited: Set<Int> = []
        let roots = graph.nodes.indices.filter { graph.nodes[$0].level == 0 }
        let items = roots.map { branch($0, by: nil, addresses, &visited) }
        return "<ul class=\"plan-tree\">\(items)</ul>"
    }

    private func branch(
        _ index: Int, by edge: PlanGraph.Edge?, _ addresses: Addresses, _ visited: inout Set<Int>
    ) -> Markup {
        let node = graph.nodes[index]
        let isNew = visited.insert(index).inserted
        let via: Markup? = edge.map { "<span class=\"via\"><bdi>\($0.relationship)</bdi> · \($0.rule)</span>" }
        let count = edge?.count ?? node.count
        var below: [Markup] = []
        if isNew {
            for edge in graph.edges where edge.from.first == index {
                below.append(branch(edge.to, by: edge, addresses, &visited))
            }
        }
        let lines = isNew ? Self.lines(node) : []
        let more: Markup? = lines.isEmpty ? nil : "<small>\(lines.joined(separator: " "))</small>"
        return """
            <li>\(via)<a class="plan-item \(node.kind.rawValue)" href="\(addresses.rows(node.entity))">\
            <b><bdi>\(node.entity)</bdi></b><span class="count">\(Amounts.count(count))</span>\
            <small>\(Self.words(node.kind))</small>\(more)</a>\(below.isEmpty ? "" : "<ul>\(below)</ul>" as Markup)</li>
            """
    }
}
