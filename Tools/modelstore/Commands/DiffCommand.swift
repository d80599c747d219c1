import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "What differs between two stores.",
        discussion: """
            Rows are matched by their key, which is right for two states of one store, such as a file and its backup. For \
            other stores, --by names a property that identifies rows, of all entities that have it or of one \
            (Item.name); links are then equal if their destinations are. Rows without such a property, or with one that others \
            have the same value of, are equal if their values and destinations are. The exit code is 1 if anything \
            differs.

            EXAMPLES
              modelstore diff default.store default-backup-2024-03-01T12-00-00.store
              modelstore diff phone.store server.store --by name --by Photo.file
              modelstore diff a.store b.store --format ndjson
            """)

    @Argument(help: "The store's file as it was.", completion: .file())
    var old: String

    @Argument(help: "The store's file as it is.", completion: .file())
    var new: String

    @Option(
        name: .long, help: ArgumentHelp("Only this entity; may be given several times.", valueName: "entity"),
        completion: NameCompletion.entities)
    var entity: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Match rows by this property instead of their key; may be given several times.", valueName: "property"))
    var by: [String] = []

    @Flag(name: .long, help: "Compare the models only.")
    var schemaOnly = false

    @Option(name: [.short, .long], help: "The most rows to list in a table, for each entity; 0 for all.")
    var limit = 20

    @OptionGroup var model: ModelArgument
    @OptionGroup var format: FormatOptions

    func run() throws {
        var marked: [UnreadableCells?] = []
        let differs = try StoreArgument.inspecting(URL(fileURLWithPath: old), model) { oldFile in
            try StoreArgument.inspecting(URL(fileURLWithPath: new), model) { newFile in
                let (left, right) = (try oldFile.store(), try newFile.store())
                let schema = ModelDifference(left.model, right.model)
                var writer = DiffWriter(format: format, limit: limit)
                try writer.write(schema)
                guard !schemaOnly else { return try writer.finish() }
                if by.isEmpty, left.identifier != right.identifier {
                    Output.note(
                        "Note: These are different stores; rows with the same key may have nothing to do with each other (--by)."
                    )
                }
                try Interruption.stopping({
                    left.interrupt()
                    right.interrupt()
                }) {
                    do {
                        marked = try compare(left, right, &writer)
                    } catch let error as SQLiteError where error.isNotADatabase {
                        throw Self.damaged([oldFile, newFile], error)
                    }
                }
                return try writer.finish()
            }
        }
        try MarkedValues.report(of: marked)
        if differs { throw ExitCode(Failure.found) }
    }

    /// The error does not say which of the two files is damaged, so both are checked.
    private static func damaged(_ files: [InspectedFile], _ error: SQLiteError) -> InspectionError {
        let found = files.filter { !$0.isIntact }
        let paths = (found.isEmpty ? files : found).map(\.path).joined(separator: ", or that at ")
        return .damaged(paths, detail: "SQLite: \(error.message)")
    }

    /// - Returns: the unreadable cells of both stores.
    private func compare(
        _ left: SQLiteStore, _ right: SQLiteStore, _ writer: inout DiffWriter
    ) throws -> [UnreadableCells?] {
        let names =
            try entity.isEmpty
            ? ModelOutline.sorted(left.model).map(\.name).filter { right.model.entity(named: $0) != nil }
            : entity.map { try left.model.inspectedEntity($0).name }
        let naming = by.isEmpty ? nil : try RowNaming(by, left.model, right.model)
        if let naming { reportNameless(names, naming, left.model) }
        return try left.reading { old in
            try right.reading { new in
                let (old, new) = (old.markingUnreadable(), new.markingUnreadable())
                for name in names {
                    var comparison = try RowComparison(name, left.model, old, right.model, new, naming: naming)
                    let progress = ProgressLine("Comparing \(name)")
                    defer { progress.end() }
                    let (total, done) = (Int64(try comparison.rowsToRead), Locked(Int64(0)))
                    comparison.checkpoint = { count in
                        try Interruption.check()
                        progress.update(
                            done.withLock {
                                $0 += Int64(count); return $0
                            }, of: total)
                    }
                    var counts = RowComparison.Counts()
                    try comparison.forEachDifference {
                        writeReport($0, of: name)
                    } _: { difference in
                        try Interruption.check()
                        counts.add(difference)
                        try writer.write(difference, of: name, number: counts.total)
                    }
                    try writer.write(counts, of: name)
                }
                return [old.unreadable, new.unreadable]
            }
        }
    }

    private func writeReport(_ ambiguity: RowNames.Ambiguity, of entity: String) {
        let shared = Amounts.count(ambiguity.sharedCount, "value")
        let nameless = Amounts.count(ambiguity.namelessCount, "row")
        Output.note(
            "Note: '\(entity).\(ambiguity.property)' does not identify all rows: \(shared) of several rows, \(nameless) "
                + "without a value. Those are compared by all their values, so that a changed row is reported as removed "
                + "and added (--by Entity.property).")
    }

    private func reportNameless(_ names: [String], _ naming: RowNaming, _ model: Model) {
        let nameless = names.filter { name in
            guard let entity = model.entity(named: name), !entity.isAbstract else { return false }
            return naming.property(of: entity, in: model) == nil
        }
        guard !nameless.isEmpty else { return }
        Output.note(
            "Note: Nothing identifies rows of \(nameless.joined(separator: ", ")) but all their values, so a changed "
                + "row is reported as removed and added (--by Entity.property).")
    }
}

/// Writes differences as they are found.
struct DiffWriter {
    private let format: FormatOptions
    private let limit: Int
    private var differs = false
    /// Whether the CSV header has been written.
    private var hasHead = false

    init(format: FormatOptions, limit: Int) {
        self.format = format
        self.limit = limit
    }

    private mutating func emit(_ value: InspectedValue) throws {
        defer { differs = true }
        switch format.format {
        case .ndjson: try Output.standard.line(value.json())
        case .json: try Output.standard.write((differs ? ",\n  " : "[\n  ") + value.json())
        case .csv, .table: break
        }
    }

    private mutating func writeCSV(_ lines: [String]) throws {
        guard format.format == .csv else { return }
        if !hasHead { try Output.standard.line("change,object,property,old,new") }
        hasHead = true
        for line in lines { try Output.standard.line(line) }
    }

    mutating func write(_ schema: ModelDifference) throws {
        for line in schema.lines {
            try emit(
                .fields([InspectedField("change", .text(line.change)), InspectedField("schema", .text(line.text))]))
            try writeCSV([InspectedValue.csvLine([.text(line.change), "schema", .text(line.text), .none, .none])])
            if format.isTable {
                let tone: TonedLine.Tone = line.sign == "+" ? .good : line.sign == "-" ? .bad : .warning
                try Output.standard.line(Terminal.paint(TonedLine("\(line.sign) ", tone).adding(line.text)))
            }
        }
    }

    mutating func write(_ difference: RowComparison.Difference, of entity: String, number: Int) throws {
        try emit(difference.value)
        try writeCSV(difference.csvLines)
        guard format.isTable, limit == 0 || number <= limit else { return }
        for line in difference.lines { try Output.standard.line(Terminal.paint(line)) }
    }

    mutating func write(_ counts: RowComparison.Counts, of entity: String) throws {
        guard format.isTable, counts.total > 0 else { return }
        if limit > 0, counts.total > limit {
            try Output.standard.line(
                Terminal.paint(TonedLine("  … and \(Amounts.count(counts.total - limit)) more", .dim)))
        }
        let line = TonedLine(entity, .strong).adding("  +\(Amounts.count(counts.added))", .good).adding(
            " ~\(Amounts.count(counts.changed))", .warning
        )
        .adding(" -\(Amounts.count(counts.removed))", .bad)
        try Output.standard.line(Terminal.paint(line))
    }

    /// - Returns: whether there are any differences.
    func finish() throws -> Bool {
        switch format.format {
        case .json: try Output.standard.line(differs ? "\n]" : "[]")
        case .table where !differs: try Output.standard.line(Terminal.paint(TonedLine("No differences.", .good)))
        default: break
        }
        return differs
    }
}
