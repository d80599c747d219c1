import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Everything about one object.",
        discussion: """
            EXAMPLES
              modelstore show default.store Item/p12
              modelstore show default.store x-coredata://8C1E…/Item/p12 --format json
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: ArgumentHelp("The object: Item/p12, or its whole x-coredata address.", valueName: "object"))
    var address: String

    @Option(
        name: [.short, .long], help: "The most members of a relationship to list; 0 for all. Tables list 5 by default."
    )
    var limit: Int?

    @OptionGroup var format: FormatOptions

    private static let tableLimit = 5

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    private var most: Int {
        let wanted = limit ?? (format.isTable ? Self.tableLimit : 0)
        return wanted == 0 ? .max : wanted
    }

    func run() throws {
        let unreadable = try store.reading { store, reading in
            let id = try ObjectAddress(address).id(in: store)
            let detail = try ObjectDetail(
                id, reading, in: store.model, style: format.style, most: most)
            switch format.format {
            case .json, .ndjson: try format.write(Self.value(detail))
            case .csv:
                try format.write(
                    ["property", "value"],
                    detail.attributes.map { [.text($0.name), $0.value] }
                        + Self.links(detail).map { [.text($0.name), $0.value] }, nothing: "")
            case .table: try format.write(Self.lines(detail))
            }
            return reading.unreadable
        }
        try MarkedValues.report(of: [unreadable])
    }

    // MARK: Text

    private static func lines(_ detail: ObjectDetail) -> [TonedLine] {
        let names = detail.attributes.map(\.name) + detail.relationships.map(\.relationship.name)
        let width = names.map { TextWidth.columns(of: $0) }.max() ?? 0
        var lines = [
            TonedLine(detail.id.address, .strong).adding(
                "  \(detail.id.uriText)  saved \(Amounts.count(Int(detail.version), "time"))", .dim)
        ]
        for attribute in detail.attributes {
            lines += Self.lines(attribute.name, attribute.value, width, indentation: "  ")
        }
        for link in detail.relationships { lines += Self.lines(link, width) }
        return lines
    }

    /// Shows a value with fields as one line for each field.
    private static func lines(
        _ name: String, _ value: InspectedValue, _ width: Int, indentation: String
    ) -> [TonedLine] {
        let head = TonedLine(indentation + CellText.padded(name, width), .dim)
        guard let fields = value.fieldsValue, !fields.isEmpty, value.lostMark == nil, indentation.count < 8 else {
            return valueLines(value, head)
        }
        let inner = fields.map { TextWidth.columns(of: $0.name) }.max() ?? 0
        return [TonedLine(indentation + name, .dim)]
            + fields.flatMap { lines($0.name, $0.value, max(inner, width - 2), indentation: indentation + "  ") }
    }

    /// The width used if the output is no terminal.
    private static let usualWidth = 100

    /// Shows a value after its name; a long list or JSON continues on further lines.
    private static func valueLines(_ value: InspectedValue, _ head: TonedLine) -> [TonedLine] {
        let indentation = String(repeating: " ", count: TextWidth.columns(of: head.text))
        let room = max(20, (Terminal.width ?? usualWidth) - indentation.count)
        if let mark = value.lostMark { return [head.adding(mark, .bad)] }
        let lines =
            switch value {
            case .list(let elements) where !elements.isEmpty && elements.allSatisfy { $0.isPlain }:
                CellText.folded(CellText.visible(elements.map(\.cellText).joined(separator: ", ")), to: room).map {
                    TonedLine($0)
                }
            case .list, .fields: jsonLines(value, room: room)
            default: [valueText(value)]
            }
        return lines.enumerated().map { ($0 == 0 ? head : TonedLine(indentation)).adding($1) }
    }

    private static func valueText(_ value: InspectedValue) -> TonedLine {
        switch value {
        case .none: TonedLine("nil", .dim)
        case .boolean(let flag): TonedLine(flag ? "yes" : "no")
        default: TonedLine(CellText.visible(value.cellText))
        }
    }

    /// Uses one line if the value fits.
    private static func jsonLines(_ value: InspectedValue, room: Int) -> [TonedLine] {
        let line = value.json()
        if TextWidth.columns(of: line) <= room { return [TonedLine(CellText.visible(line))] }
        return value.json(.indented).split(separator: "\n").map { TonedLine(CellText.visible(String($0))) }
    }

    private static func lines(_ link: ObjectDetail.Link, _ width: Int) -> [TonedLine] {
        let relationship = link.relationship
        let rule = "  \(TypeText.text(relationship.deleteRule))"
        let head = TonedLine("  " + CellText.padded(relationship.name, width), .dim)
        if relationship.cardinality == .toOne {
            guard let member = link.members.first else { return [head.adding("─▶ ", .dim).adding("nil", .dim)] }
            return [head.adding("─▶ ", .dim).adding(text(member)).adding(rule, .dim)]
        }
        var lines = [head.adding("═▶ ", .dim).adding(Amounts.count(link.count, "object")).adding(rule, .dim)]
        let indentation = String(repeating: " ", count: width + 7)
        lines += link.members.map { TonedLine(indentation).adding(text($0)) }
        if link.count > link.members.count {
            lines.append(TonedLine(indentation + "… and \(Amounts.count(link.count - link.members.count)) more", .dim))
        }
        return lines
    }

    private static func text(_ member: ObjectDetail.Member) -> TonedLine {
        let address = TonedLine(member.id.address, member.exists ? .strong : .bad)
        if !member.exists { return address.adding("  is gone", .bad) }
        return address.adding(member.label.map { "  \(CellText.visible($0))" } ?? "")
    }

    // MARK: JSON

    private static func value(_ detail: ObjectDetail) -> InspectedValue {
        let attributes = detail.attributes.map { InspectedField($0.name, $0.value) }
        // If only some members are shown, their total numbers are included.
        let counts = detail.relationships.filter { $0.count > $0.members.count }.map {
            InspectedField($0.relationship.name, .count($0.count))
        }
        let marks = counts.isEmpty ? [] : [InspectedField("$counts", .fields(counts))]
        return .fields(
            [
                InspectedField(RowRendering.idField, .text(detail.id.address)),
                InspectedField("$uri", .text(detail.id.uriText)),
                InspectedField("$version", .integer(detail.version)),
            ] + marks + attributes + links(detail))
    }

    private static func links(_ detail: ObjectDetail) -> [InspectedField] {
        detail.relationships.map { link in
            let members = link.members.map { InspectedValue.text($0.id.address) }
            return InspectedField(
                link.relationship.name,
                link.relationship.cardinality == .toOne ? members.first ?? .none : .list(members))
        }
    }
}
