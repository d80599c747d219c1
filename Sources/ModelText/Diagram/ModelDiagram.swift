import ObjectGraph

/// A diagram of a model as SVG: entities with their properties, relationships with their delete rules, and inheritance.
/// Follows the viewer's light or dark colour scheme.
package struct ModelDiagram {
    private let boxes: [DiagramBox]
    private let edges: [DiagramEdge]
    private let layout: DiagramLayout
    private let title: String

    private static let margin = 32.0
    private static let titleSpace = 46.0
    private static let legendSpace = 44.0
    private static let loopWidth = 34.0

    package init(_ model: Model, title: String) {
        self.title = title
        boxes = model.entities.map { DiagramBox($0, model) }
        edges = DiagramEdge.all(model)
        layout = DiagramLayout(boxes, edges)
    }

    /// A standalone SVG file with its own colours.
    package var svg: String {
        let heading =
            "<text class=\"heading\" x=\"\(DiagramText.number(Self.margin))\" y=\"\(DiagramText.number(Self.margin + 16))\">"
            + "\(DiagramText.escaped(title))</text>"
        return drawing(
            head: [
                DiagramStyle.css, DiagramStyle.markers, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
                heading,
            ],
            titleSpace: Self.titleSpace, role: "img", legend: .drawn
        ) { _ in nil }
    }

    /// An SVG element for a page whose style sheet has the colours.
    /// - Parameter address: returns the link address of an entity's box from its name.
    package func embedded(_ address: (String) -> String) -> String {
        // An SVG with links has the role of a group, not of an image.
        drawing(head: [DiagramStyle.markers], titleSpace: 0, role: "group", legend: .none, address)
    }

    private enum Legend {
        case drawn, none
    }

    private func drawing(
        head: [String], titleSpace: Double, role: String, legend: Legend, _ address: (String) -> String?
    ) -> String {
        let width = max(layout.width + Self.loopWidth, legend == .drawn ? 520 : 0) + 2 * Self.margin
        let height = layout.height + titleSpace + (legend == .drawn ? Self.legendSpace : 0) + 2 * Self.margin
        let size = "\(DiagramText.number(width)) \(DiagramText.number(height))"
        let place = "\(DiagramText.number(Self.margin)) \(DiagramText.number(Self.margin + titleSpace))"
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(DiagramText.number(width))" \
            height="\(DiagramText.number(height))" role="\(role)" aria-label="\(DiagramText.escaped("Model of \(title)"))">
            \(role == "img" ? "<title>\(DiagramText.escaped("Model of \(title)"))</title>" : "")
            """
        ]
        parts += head + ["<g transform=\"translate(\(place))\">"]
        for (edge, route) in zip(edges, layout.routes) { parts.append(line(edge, route)) }
        for node in layout.nodes {
            guard let box = node.box else { continue }
            let drawn = drawing(boxes[box], at: node)
            let target = address(boxes[box].title).map(DiagramText.escaped)
            let name = DiagramText.escaped(boxes[box].title)
            parts.append(target.map { "<a href=\"\($0)\" aria-label=\"\(name)\">\(drawn)</a>" } ?? drawn)
        }
        parts.append("</g>")
        if legend == .drawn {
            parts.append(
                DiagramStyle.legend(x: Self.margin, y: height - Self.margin - 6, edges: Set(edges.map(\.kind))))
        }
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    // MARK: Boxes

    private func drawing(_ box: DiagramBox, at node: DiagramLayout.Node) -> String {
        let number = DiagramText.number
        var parts = ["<g transform=\"translate(\(number(node.x)) \(number(node.y)))\">"]
        let head = DiagramBox.headHeight + (box.subtitle == nil ? 0 : DiagramBox.subtitleHeight)
        parts.append("<rect class=\"fill\" width=\"\(number(box.width))\" height=\"\(number(box.height))\" rx=\"9\"/>")
        let bottom =
            box.rows.isEmpty
            ? "a9 9 0 0 1 -9 9 h-\(number(box.width - 18)) a9 9 0 0 1 -9 -9 z" : "h-\(number(box.width)) z"
        let side = box.rows.isEmpty ? head - 18 : head - 9
        parts.append(
            "<path class=\"head\" d=\"M0 9 a9 9 0 0 1 9 -9 h\(number(box.width - 18)) a9 9 0 0 1 9 9 v\(number(side)) \(bottom)\"/>"
        )
        parts.append("<rect class=\"box\" width=\"\(number(box.width))\" height=\"\(number(box.height))\" rx=\"9\"/>")
        let title = DiagramText.cut(
            box.title, size: DiagramBox.titleSize, isBold: true, to: box.width - 2 * DiagramBox.padding + 1)
        parts.append(text(title, "title", x: DiagramBox.padding, y: 22))
        if let subtitle = box.subtitle { parts.append(text(subtitle, "subtitle", x: DiagramBox.padding, y: 38)) }
        for (place, row) in box.rows.enumerated() { parts.append(drawing(row, at: place, of: box)) }
        return parts.joined(separator: "\n") + "\n</g>"
    }

    private func drawing(_ row: DiagramBox.Row, at place: Int, of box: DiagramBox) -> String {
        let y = box.headSpace + Double(place) * DiagramBox.rowHeight + 14.5
        let room = box.width - 2 * DiagramBox.padding
        let detailWidth = min(DiagramText.width(row.detail, size: DiagramBox.textSize), room * 0.6)
        let isBold = row.relationshipIndex != nil
        let name = DiagramText.cut(row.name, size: DiagramBox.textSize, isBold: isBold, to: room - detailWidth - 10)
        let detail = DiagramText.cut(row.detail, size: DiagramBox.textSize, to: room * 0.6 + 1)
        let kind: String =
            switch row.kind {
            case .attribute: "name"
            case .more: "type"
            case .relationship(.cascade): "name cascade"
            case .relationship(.deny): "name deny"
            case .relationship: "name link"
            }
        return text(name, kind, x: DiagramBox.padding, y: y)
            + text(detail, "type end", x: box.width - DiagramBox.padding, y: y)
    }

    private func text(_ content: String, _ kind: String, x: Double, y: Double) -> String {
        content.isEmpty
            ? ""
            : "<text class=\"\(kind)\" x=\"\(DiagramText.number(x))\" y=\"\(DiagramText.number(y))\">"
                + "\(DiagramText.escaped(content))</text>"
    }

    // MARK: Lines

    private struct Point {
        let x: Double
        let y: Double

        var text: String { "\(DiagramText.number(x)) \(DiagramText.number(y))" }
    }

    private enum Side: Double {
        case left = -1
        case right = 1
    }

    private func line(_ edge: DiagramEdge, _ route: [Int]) -> String {
        guard let first = route.first, let last = route.last else { return "" }
        let (start, end) = (layout.nodes[first], layout.nodes[last])
        let sides: (from: Side, to: Side) =
            start.column < end.column ? (.right, .left) : start.column > end.column ? (.left, .right) : (.right, .right)
        var points = [point(edge.from, start, sides.from)]
        for pass in route.dropFirst().dropLast() {
            // Runs straight across the column, so that lines bend only between columns.
            let (left, right) = columnSides(layout.nodes[pass].column)
            let (near, far) = sides.from == .right ? (left, right) : (right, left)
            points.append(Point(x: near, y: layout.nodes[pass].middle))
            points.append(Point(x: far, y: layout.nodes[pass].middle))
        }
        points.append(point(edge.to, end, sides.to))
        let classes = "line \(edge.kind.rawValue)"
        let marks =
            mark("marker-start", edge.from.mark, edge.kind, isEnd: false)
            + mark("marker-end", edge.to.mark, edge.kind, isEnd: true)
        return "<path class=\"\(classes)\" d=\"\(path(points, sides))\"\(marks)/>"
    }

    private func columnSides(_ column: Int) -> (left: Double, right: Double) {
        let boxes = layout.nodes.filter { $0.column == column && $0.box != nil }
        let left = boxes.map(\.x).min() ?? 0
        let right = boxes.map { $0.x + $0.width }.max() ?? left
        return (left, right)
    }

    private func point(_ end: DiagramEdge.End, _ node: DiagramLayout.Node, _ side: Side) -> Point {
        let anchor = node.box.map { boxes[$0].anchor(end.relationshipIndex) } ?? 0
        return Point(x: side == .right ? node.x + node.width : node.x, y: node.y + anchor)
    }

    private func path(_ points: [Point], _ sides: (from: Side, to: Side)) -> String {
        var path = "M\(points[0].text)"
        if points.count == 2, sides.from == sides.to {
            let reach = Self.loopWidth + min(40, abs(points[0].y - points[1].y) / 6)
            let x = max(points[0].x, points[1].x) + reach
            return path + " C\(Point(x: x, y: points[0].y).text) \(Point(x: x, y: points[1].y).text) \(points[1].text)"
        }
        for (one, other) in zip(points, points.dropFirst()) {
            let bend = max(30, abs(other.x - one.x) / 2) * (other.x >= one.x ? 1 : -1)
            path +=
                " C\(Point(x: one.x + bend, y: one.y).text) \(Point(x: other.x - bend, y: other.y).text) \(other.text)"
        }
        return path
    }

    private func mark(_ attribute: String, _ mark: DiagramEdge.Mark, _ kind: DiagramEdge.Kind, isEnd: Bool) -> String {
        if kind == .inherits { return isEnd ? "" : " \(attribute)=\"url(#inherits)\"" }
        switch mark {
        case .none: return ""
        case .one: return " \(attribute)=\"url(#one-\(kind.rawValue))\""
        case .many: return " \(attribute)=\"url(#many-\(kind.rawValue))\""
        }
    }
}
