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

    /// Lines with change, object, property, old value and new value.
    package var csvLines: [String] {
        switch self {
        case .added(let id, _): [InspectedValue.csvLine(["added", .text(id.address), .none, .none, .none])]
        case .removed(let id, _): [InspectedValue.csvLine(["removed", .text(id.address), .none, .none, .none])]
        case .changed(let id, _, let changes):
            changes.map { InspectedValue.csvLine(["changed", .text(id.address), .text($0.property), $0.old, $0.new]) }
        }
    }

    /// A line for the row, and one for each changed property.
    package var lines: [TonedLine] {
        switch self {
        case .added(let id, let label): [Self.head("+", .good, id, label)]
        case .removed(let id, let label): [Self.head("-", .bad, id, label)]
        case .changed(let id, let label, let changes):
            [Self.head("~", .warning, id, label)]
                + changes.map { TonedLine("      \($0.property): ", .dim).adding(Self.text($0)) }
        }
    }

    private static func head(_ sign: String, _ tone: TonedLine.Tone, _ id: ObjectID, _ label: String?) -> TonedLine {
        TonedLine("  \(sign) ", tone).adding(id.address).adding(label.map { "  \($0)" } ?? "", .dim)
    }

    private static func text(_ change: RowComparison.Change) -> TonedLine {
        if let old = change.old.listValue, let new = change.new.listValue { return members(old, new) }
        return TonedLine(short(change.old)).adding(" → ", .dim).adding(short(change.new))
    }

    private static let mostMembers = 4

    /// The elements that a list lost and gained, if most of it is unchanged.
    private static func members(_ old: [InspectedValue], _ new: [InspectedValue]) -> TonedLine {
        let (lost, gained) = (rest(of: old, without: new), rest(of: new, without: old))
        guard !lost.isEmpty || !gained.isEmpty else { return "in another order" }
        func part(_ sign: String, _ values: [InspectedValue], _ tone: TonedLine.Tone) -> TonedLine {
            let names = values.prefix(mostMembers).map { " \(sign)\(short($0))" }.joined()
            let rest = values.count > mostMembers ? " … \(Amounts.count(values.count - mostMembers)) more" : ""
            return TonedLine(names, tone).adding(rest, .dim)
        }
        let count = "\(Amounts.count(old.count)) → \(Amounts.count(new.count))"
        return TonedLine(count).adding(part("-", lost, .bad)).adding(part("+", gained, .good))
    }

    /// Removes elements as often as they occur in the other list.
    private static func rest(of values: [InspectedValue], without others: [InspectedValue]) -> [InspectedValue] {
        var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return values.filter { value in
            guard let count = counts[value], count > 0 else { return true }
            counts[value] = count - 1
            return false
        }
    }

    private static func short(_ value: InspectedValue) -> String {
        if value.isNone { return "nil" }
        let text = value.lostMark ?? value.fieldsValue.map(values) ?? value.cellText
        return text.count > 60 ? text.prefix(59) + "…" : text
    }

    /// The values of a row without a name: `(unit: oz, value: 2.0)`.
    private static func values(_ fields: [InspectedField]) -> String {
        "(\(fields.map { "\($0.name): \($0.value.cellText)" }.joined(separator: ", ")))"
    }
}
