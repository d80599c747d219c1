import Foundation
import StoreInspection

/// Aligned columns of text, with numbers at the right. On a terminal, the widest columns shrink first, except for the
/// first one, which identifies the rows. Columns that still do not fit are omitted, and a line says so.
///
/// Widths are determined by the first rows only, as a table may have more rows than fit into memory.
struct TextTable {
    enum Alignment {
        case leading, trailing
    }

    /// How integers are formatted.
    enum Numbers {
        /// Counts, with separators: `12,345`.
        case counts
        /// Content of a store, without separators: `2024` may be a year, or a key.
        case values
    }

    private let titles: [String]
    /// Rows not yet written.
    private var rows: [[String]] = []
    private var tones: [[TonedLine.Tone]] = []
    /// The widths of columns, once the first rows are written.
    private var fitted: (widths: [Int], hidden: Int)?
    private var alignments: [Alignment]
    private let numbers: Numbers
    /// The terminal's width in columns; `nil` for no limit.
    private let width: Int?
    private let colours: Bool

    /// The maximum width of a cell, also without a terminal.
    private static let widestCell = 60
    private static let narrowestCell = 12
    private static let gap = "  "
    /// The number of rows that determine the widths of columns.
    private static let measuredRows = 1000

    init(
        _ titles: [String], _ numbers: Numbers, width: Int? = Terminal.width, colours: Bool = Terminal.hasColours
    ) {
        self.titles = titles.map(CellText.visible)
        self.numbers = numbers
        self.width = width
        self.colours = colours
        alignments = titles.map { _ in .leading }
    }

    /// Aligns columns with numbers to the right.
    mutating func add(_ values: [InspectedValue], tones: [TonedLine.Tone] = []) {
        for (place, value) in values.enumerated() where alignments.indices.contains(place) {
            switch value {
            case .integer, .real: alignments[place] = .trailing
            default: break
            }
        }
        rows.append(values.map { CellText.visible(text($0)) })
        self.tones.append(tones)
    }

    private func text(_ value: InspectedValue) -> String {
        switch value {
        case .integer(let number) where numbers == .counts: Amounts.count(Int(number))
        case .boolean(let flag): flag ? "yes" : "no"
        case .list, .fields: value.plainLine
        default: value.cellText
        }
    }

    /// Lines that can be written before all rows are added.
    mutating func takeLines() -> [String] {
        fitted == nil && rows.count < Self.measuredRows ? [] : takeAll()
    }

    /// The remaining lines after the last row.
    mutating func finish() -> [String] {
        var lines = takeAll()
        let hidden = fitted?.hidden ?? 0
        if hidden > 0 {
            let names = titles.suffix(hidden).joined(separator: ", ")
            let text = "… and \(Amounts.count(hidden, "more column")): \(names)"
            lines += CellText.folded(text, to: width ?? .max).map { Terminal.paint($0, .dim, colours: colours) }
        }
        return lines
    }

    private mutating func takeAll() -> [String] {
        let (widths, hidden) = fitted ?? fittedWidths()
        var lines = fitted == nil ? head(widths) : []
        fitted = (widths, hidden)
        for (row, tones) in zip(rows, tones) { lines.append(line(row, widths, tones)) }
        (rows, tones) = ([], [])
        return lines
    }

    private func head(_ widths: [Int]) -> [String] {
        let rule = widths.map { Terminal.paint(String(repeating: "─", count: $0), .dim, colours: colours) }
        return [line(titles, widths, titles.map { _ in .strong }), rule.joined(separator: Self.gap)]
    }

    private func line(_ cells: [String], _ widths: [Int], _ tones: [TonedLine.Tone]) -> String {
        var line = ""
        for (place, width) in widths.enumerated() {
            // If the output is no terminal, a cell wider than its column breaks the alignment rather than being cut to
            // the column.
            let most = self.width == nil ? Self.widestCell : width
            let cell = CellText.cut(place < cells.count ? cells[place] : "", to: most)
            let padding = String(repeating: " ", count: max(0, width - TextWidth.columns(of: cell)))
            let painted = Terminal.paint(cell, place < tones.count ? tones[place] : .plain, colours: colours)
            if place > 0 { line += Self.gap }
            line += alignments[place] == .trailing ? padding + painted : painted + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Widths

    private func fittedWidths() -> (widths: [Int], hidden: Int) {
        var widths = titles.indices.map { place in
            let widest = rows.lazy.map { place < $0.count ? TextWidth.columns(of: $0[place]) : 0 }.max() ?? 0
            return min(Self.widestCell, max(TextWidth.columns(of: titles[place]), widest))
        }
        guard let width else { return (widths, 0) }
        var hidden = 0
        while total(widths) > width {
            guard let widest = widths.dropFirst().max(), widest > Self.narrowestCell,
                let place = widths.indices.dropFirst().first(where: { widths[$0] == widest })
            else {
                guard widths.count > 1 else { break }
                widths.removeLast()
                hidden += 1
                continue
            }
            widths[place] -= 1
        }
        return (widths, hidden)
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + Self.gap.count * max(0, widths.count - 1)
    }
}
