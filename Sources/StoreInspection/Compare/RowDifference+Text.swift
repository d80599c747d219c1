import ObjectGraph

extension RowComparison.Difference {
    package var value: InspectedValue {
        switch self {
        case .added(let id, _):
            .fields([InspectedField("change", "added"), InspectedField("object", .text(id.address))])
        case .removed(let id, _):
            .fields([InspectedField("change", "removed"), InspectedField("object", .text(id.address))])
        case .changed(let id, _, let changes):
            .fields([
                InspectedField("change", "changed"), InspectedField("object", .text(id.address)),
                InspectedField(
                    "properties",
                    .fields(
                        changes.map {
                            InspectedField(
                                $0.property, .fields([InspectedField("old", $0.old), InspectedField("new", $0.new)]))
                        })),
            ])
        }
    }

    /// Change, object, property, old value, new value.
    package var csvLines: [String] {
        switch self {
        case .added(let id, _): [InspectedValue.csvLine(["added", .text(id.address), .none, .none, .none])]
        case .removed(let id, _): [InspectedValue.csvLine(["removed", .text(id.address), .none, .none, .none])]
        case .changed(let id, _, let changes):
            changes.map { InspectedValue.csvLine(["changed", .text(id.address), .text($0.property), $0.old, $0.new]) }
        }
    }

    /// For people: a line, and one more for each property.
    package var lines: [TonedLine] {
        switch self {
        case .added(let id, let label): [Self.head("+", .good, id, label)]
        case .removed(let id, let label): [Self.head("-", .bad, id, label)]
        case .changed(let id, let label, let changes):
            [Self.head("~", .warning, id, label)]
                + changes.map { change in
                    TonedLine("      \(change.property): ", .dim).adding(Self.short(change.old)).adding(" → ", .dim)
                        .adding(Self.short(change.new))
                }
        }
    }

    private static func head(_ sign: String, _ tone: TonedLine.Tone, _ id: ObjectID, _ label: String?) -> TonedLine {
        TonedLine("  \(sign) ", tone).adding(id.address).adding(label.map { "  \($0)" } ?? "", .dim)
    }

    private static func short(_ value: InspectedValue) -> String {
        if value.isNone { return "nil" }
        let text = value.cellText
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}
