import ArgumentParser
import StoreInspection

/// The format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, ndjson
}

struct FormatOptions: ParsableArguments {
    @Option(name: .long, help: "How to write the result.")
    var format: OutputFormat = .table

    /// Whether the result is a table for readers.
    var isTable: Bool { format == .table }

    var style: RowRendering.Style { isTable ? .people : .exact }
}

/// Writes records with the same fields in the chosen format, one by one.
final class RecordWriter {
    private let format: OutputFormat
    private let columns: [String]
    private let output: Output
    private var table: TextTable
    private(set) var count = 0

    /// - Parameters:
    ///   - columns: the fields' names.
    ///   - titles: the columns' titles in a table; the fields' names by default.
    init(
        _ format: OutputFormat, columns: [String], titles: [String]? = nil, _ numbers: TextTable.Numbers,
        output: Output = .standard
    ) {
        self.format = format
        self.columns = columns
        self.output = output
        table = TextTable(titles ?? columns.map { $0 == RowRendering.idField ? "object" : $0 }, numbers)
    }

    /// - Throws: `OutputError`.
    func add(_ fields: [InspectedField], tones: [TonedLine.Tone] = []) throws {
        defer { count += 1 }
        switch format {
        case .table:
            table.add(fields.map(\.value), tones: tones)
            for line in table.takeLines() { try output.line(line) }
        case .json:
            try output.write((count == 0 ? "[\n  " : ",\n  ") + InspectedValue.fields(fields).json())
        case .ndjson: try output.line(InspectedValue.fields(fields).json())
        case .csv:
            if count == 0 { try writeHead() }
            try output.line(InspectedValue.csvLine(fields.map(\.value)))
        }
    }

    private func writeHead() throws {
        try output.line(InspectedValue.csvLine(columns.map(InspectedValue.text)))
    }

    /// - Parameter nothing: the text of a table without rows.
    func finish(nothing: String = "Nothing.") throws {
        switch format {
        case .table where count == 0: try output.line(nothing)
        case .table: for line in table.finish() { try output.line(line) }
        case .json: try output.line(count == 0 ? "[]" : "\n]")
        case .csv where count == 0: try writeHead()
        case .csv, .ndjson: break
        }
        try output.flush()
    }
}

extension FormatOptions {
    /// Writes one value as JSON, indented or on one line.
    func write(_ value: InspectedValue) throws {
        try Output.standard.line(value.json(format == .ndjson ? .compact : .indented))
        try Output.standard.flush()
    }

    /// Writes values as a JSON list, or as one line each.
    func write(list values: [InspectedValue]) throws {
        guard format == .ndjson else { return try write(.list(values)) }
        for value in values { try Output.standard.line(value.json()) }
        try Output.standard.flush()
    }

    /// Writes lines of text.
    func write(_ lines: [TonedLine]) throws {
        for line in lines { try Output.standard.line(Terminal.paint(line)) }
        try Output.standard.flush()
    }

    /// Writes an array of records. In a table, the columns' titles are their names with an initial capital.
    func write(
        _ columns: [String], _ records: [[InspectedValue]], tones: [[TonedLine.Tone]] = [],
        _ numbers: TextTable.Numbers = .counts, nothing: String
    ) throws {
        let titles = columns.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let writer = RecordWriter(format, columns: columns, titles: titles, numbers)
        for (place, record) in records.enumerated() {
            try writer.add(
                zip(columns, record).map { InspectedField($0, $1) }, tones: place < tones.count ? tones[place] : [])
        }
        try writer.finish(nothing: nothing)
    }
}
