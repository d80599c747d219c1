/// Colours, line ends and legend of a diagram.
enum DiagramStyle {
    static let css = """
        <style>
        svg { --page: #f6f7f9; --box: #ffffff; --edge: #d5dae1; --head: #e9eef6; --ink: #1d2530; --dim: #6b7685;
              --nullify: #7b8794; --cascade: #c2410c; --deny: #7c3aed; --inherits: #2563a8;
              font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
        @media (prefers-color-scheme: dark) {
        svg { --page: #14181e; --box: #1d232b; --edge: #37414e; --head: #27303c; --ink: #e8ecf1; --dim: #93a0b0;
              --nullify: #8794a3; --cascade: #fb8b4b; --deny: #b79cff; --inherits: #74b0f0; }
        }
        .page { fill: var(--page); }
        .fill { fill: var(--box); }
        .box { fill: none; stroke: var(--edge); stroke-width: 1.2; }
        .head { fill: var(--head); }
        .heading { fill: var(--ink); font-size: 19px; font-weight: 600; }
        .title { fill: var(--ink); font-size: 14px; font-weight: 650; }
        .subtitle { fill: var(--dim); font-size: 11px; }
        .name { fill: var(--ink); font-size: 12px; }
        .name.link { fill: var(--ink); font-weight: 550; }
        .name.cascade { fill: var(--cascade); font-weight: 550; }
        .name.deny { fill: var(--deny); font-weight: 550; }
        .type, .legend { fill: var(--dim); font-size: 12px; }
        .end { text-anchor: end; }
        .line { fill: none; stroke-width: 1.6; }
        .line.nullify { stroke: var(--nullify); }
        .line.cascade { stroke: var(--cascade); }
        .line.deny { stroke: var(--deny); stroke-dasharray: 6 3; }
        .line.inherits { stroke: var(--inherits); stroke-dasharray: 2 4; stroke-linecap: round; }
        .mark { fill: none; stroke-width: 1.6; }
        .mark.nullify { stroke: var(--nullify); }
        .mark.cascade { stroke: var(--cascade); }
        .mark.deny { stroke: var(--deny); }
        .mark.inherits { stroke: var(--inherits); fill: var(--box); }
        </style>
        """

    private static let kinds = ["nullify", "cascade", "deny"]

    /// Line ends: a bar for one, a crow's foot for many, a triangle for the superentity.
    static var markers: String {
        var parts = ["<defs>"]
        for kind in kinds {
            parts.append(marker("one-\(kind)", "<path class=\"mark \(kind)\" d=\"M6 2 V14\"/>"))
            parts.append(marker("many-\(kind)", "<path class=\"mark \(kind)\" d=\"M14 2 L3 8 L14 14\"/>"))
        }
        parts.append(marker("inherits", "<path class=\"mark inherits\" d=\"M14 8 L3 2 V14 Z\"/>", reference: 14))
        return (parts + ["</defs>"]).joined(separator: "\n")
    }

    private static func marker(_ id: String, _ content: String, reference: Int = 14) -> String {
        "<marker id=\"\(id)\" viewBox=\"0 0 16 16\" refX=\"\(reference)\" refY=\"8\" markerWidth=\"14\" markerHeight=\"14\" "
            + "orient=\"auto-start-reverse\" markerUnits=\"userSpaceOnUse\">\(content)</marker>"
    }

    static func legend(x: Double, y: Double, edges: Set<DiagramEdge.Kind>) -> String {
        let entries: [(DiagramEdge.Kind, String)] = [
            (.nullify, "nullify"), (.cascade, "cascade: goes with its owner"), (.deny, "deny: keeps its owner"),
            (.inherits, "inherits from"),
        ]
        var parts: [String] = []
        var left = x
        for (kind, label) in entries where edges.contains(kind) {
            parts.append(
                "<path class=\"line \(kind.rawValue)\" d=\"M\(DiagramText.number(left)) \(DiagramText.number(y - 4)) h26\"/>"
                    + "<text class=\"legend\" x=\"\(DiagramText.number(left + 34))\" y=\"\(DiagramText.number(y))\">\(label)</text>"
            )
            left += 34 + DiagramText.width(label, size: 12) + 34
        }
        parts.append(
            "<text class=\"legend\" x=\"\(DiagramText.number(left))\" y=\"\(DiagramText.number(y))\"># unique</text>")
        return parts.joined(separator: "\n")
    }
}
