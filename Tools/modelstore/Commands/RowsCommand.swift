import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct RowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "The rows of an entity.",
        discussion: """
            A table shows 50 rows unless --limit says otherwise; the other formats write all of them, as they are read. The \
            destinations of --with are shown in a table by address and name, in JSON with all values, in CSV by address.

            EXAMPLES
              modelstore rows default.store Item
              modelstore rows default.store Item --where "owner != nil"
              modelstore rows default.store Item --sort owner.name,-created --limit 20
              modelstore rows default.store Recipe --with ingredients --columns name
              modelstore rows default.store Item --format ndjson > items.ndjson
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var rows: RowArguments

    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The order: properties separated by commas; a minus before one turns it round.", valueName: "properties"),
        completion: NameCompletion.properties)
    var sort: String?

    @Option(name: [.short, .long], help: "The most rows to show; 0 for all.")
    var limit: Int?

    @Option(name: .long, help: "Rows to pass over first.")
    var offset = 0

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Show the destinations of a relationship; may be given several times.", valueName: "relationship"),
        completion: NameCompletion.relationships)
    var related: [String] = []

    @Option(
        name: [.short, .long], help: "The properties to show, separated by commas.",
        completion: NameCompletion.properties)
    var columns: String?

    @OptionGroup var format: FormatOptions

    private static let tableLimit = 50

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if offset < 0 { throw ValidationError("--offset must not be negative.") }
    }

    func run() throws {
        let unreadable = try store.reading { store, reading in
            var selection = rows.selection
            selection.sort = sort
            selection.offset = offset
            selection.limit = limit.map { $0 == 0 ? nil : $0 } ?? (format.isTable ? Self.tableLimit : nil)
            let query = try selection.query(in: store.model)
            let listing = try RowListing(
                query, in: store.model, columns: wantedColumns, related: related, style: format.style,
                detail: detail)
            let writer = RecordWriter(format.format, columns: listing.columns, .values)
            try listing.forEachPage(reading) { page in
                try Interruption.check()
                for row in page { try writer.add(row) }
            }
            try writer.finish(nothing: "No rows.")
            if format.isTable, limit == nil, writer.count == Self.tableLimit { try reportMore(query, reading) }
            return reading.unreadable
        }
        try MarkedValues.report(of: [unreadable])
    }

    private var detail: RowListing.Detail {
        switch format.format {
        case .table: .labels
        case .csv: .addresses
        case .json, .ndjson: .objects
        }
    }

    private var wantedColumns: [String] {
        (columns ?? "").split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init).filter { !$0.isEmpty }
    }

    private func reportMore(_ query: Query, _ reading: StoreReading) throws {
        var all = query
        (all.limit, all.offset, all.sort) = (nil, 0, [])
        let count = try reading.count(all)
        guard count > offset + Self.tableLimit else { return }
        let text = "\(Amounts.count(Self.tableLimit)) of \(Amounts.count(count, "row")); --limit 0 shows all."
        try Output.standard.flush()
        Output.writeToStandardError(Terminal.paint(text, .dim, colours: Terminal.errorHasColours) + "\n")
    }
}
