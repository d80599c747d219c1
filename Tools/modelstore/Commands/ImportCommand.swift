import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection
import StoreSQL

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add rows from JSON or CSV.",
        discussion: """
            Reads what `export` writes. All rows are new ones, with links among them kept; a row whose value must be unique \
            and is there already replaces that row's values, and the plan has the number of these. It is all or nothing. \
            A new store keeps a history where that of --model-of does. --leave-out-links imports an export of some entities without the links that lead out of it. Rows must obey the \
            model's rules, which rows of real apps do not always; --as-is takes them as they are. Marks that an export \
            wrote for values it could not read are refused unless --leave-out-lost is given.

            EXAMPLES
              modelstore import default.store all.json       (shows what would be added)
              modelstore import default.store all.json --write
              modelstore import default.store items.ndjson --leave-out-links --write
              modelstore import new.store folder --model-of default.store --write
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "A file of JSON or ndjson, or a folder of CSV files.", completion: .file())
    var input: String

    @Option(
        name: .long, help: ArgumentHelp("Make the store anew, with the model of this one.", valueName: "file"),
        completion: .file())
    var modelOf: String?

    @Flag(
        name: .long,
        help: "Let the new store keep a history of changes, even though that of --model-of keeps none.")
    var history = false

    @Flag(name: .long, help: "Leave out links to objects that are not imported, as after an export of some rows.")
    var leaveOutLinks = false

    @Flag(name: .long, help: "Leave values empty that could not be read when the file was exported.")
    var leaveOutLost = false

    @Flag(
        name: .long,
        help:
            "Import rows that break the model's rules as they are: without a mandatory value, or with too few members.")
    var asIs = false

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if history, modelOf == nil { throw ValidationError("--history is for a store made anew, with --model-of.") }
    }

    func run() throws {
        let source = try ImportSource(URL(fileURLWithPath: input))
        if let modelOf { try makeAnew(source, modelOf: modelOf) } else { try addToExisting(source) }
    }

    /// The effect of an import, shown before and after it.
    private struct Outcome {
        let counts: [(entity: String, count: Int)]
        /// The number of rows that replace rows with the same unique values.
        var replaced: Int
        let leftOutLinks: Int
        let leftOutValues: Int

        var rowCount: Int { counts.reduce(0) { $0 + $1.count } }
    }

    private func makeAnew(_ source: ImportSource, modelOf: String) throws {
        try UnfinishedStore.checkFree(store.url)
        let (model, recordsHistory) = try StoreArgument.inspecting(URL(fileURLWithPath: modelOf), store.model) {
            (try $0.store().model, $0.facts.recordsHistory)
        }
        let rows = try read(source, model)
        let outcome = try outcome(of: rows) { try $0(try SQLiteStore(model: model, location: .memory)) }
        try show(outcome)
        reportDerived(model)
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        let unfinished = try UnfinishedStore(store.url)
        defer { unfinished.remove() }
        let done = try save(
            rows, outcome, try made(at: unfinished.url, model, history || recordsHistory ? .with : .without))
        try unfinished.finish()
        try writeReport(done, nil)
    }

    /// Apple's frameworks refuse to let an app write a file with history unless the app enables history tracking.
    private func made(at url: URL, _ model: Model, _ history: SchemaLayout.HistoryKind) throws -> SQLiteStore {
        var options = SQLiteStore.Options()
        options.history = history
        return try SQLiteStore(model: model, location: .file(url), options: options)
    }

    private func read(_ source: ImportSource, _ model: Model) throws -> RowImport {
        let phases = PhaseProgress("Reading \(URL(fileURLWithPath: input).lastPathComponent)")
        defer { phases.end() }
        var rules = ImportRules()
        rules.outwardLinks = leaveOutLinks ? .omit : .refuse
        rules.lostValues = leaveOutLost ? .omit : .refuse
        rules.violations = asIs ? .accept : .refuse
        return try RowImport(model, source, rules: rules, progress: phases.update)
    }

    /// - Parameter withStore: opens the store to find rows to replace; not called if there cannot be any.
    private func outcome(
        of rows: RowImport, withStore: ((SQLiteStore) throws -> Int) throws -> Int
    ) throws -> Outcome {
        let phases = PhaseProgress("Comparing")
        defer { phases.end() }
        let replaced =
            try rows.mayReplace ? withStore { try rows.replacedCount(in: $0, progress: phases.update) } : 0
        return Outcome(
            counts: rows.counts, replaced: replaced, leftOutLinks: rows.leftOutCount, leftOutValues: rows.lostCount)
    }

    private func reportDerived(_ model: Model) {
        for failure in SchemaLayout(model).uncomputed {
            Output.note("Note: \(failure) It stays empty in the new store.")
        }
    }

    /// Reads and validates everything before the file is opened for writing or backed up.
    private func addToExisting(_ source: ImportSource) throws {
        let model = try store.withStore { $0.model }
        let rows = try read(source, model)
        let outcome = try outcome(of: rows) { try store.withStore($0) }
        try show(outcome)
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        guard outcome.rowCount > 0 else { return try writeReport(outcome, nil) }
        let question = "Import \(Amounts.count(outcome.rowCount, "row"))\(Self.replacing(outcome))?"
        guard try options.confirm(question, changing: store.url) else { return Output.note("Nothing was imported.") }
        try options.writing(store) { opened in
            guard opened.store.model.versionHashes == model.versionHashes else {
                throw InspectionError.badInput("The store changed meanwhile; try again.")
            }
            try writeReport(try save(rows, outcome, opened.store), opened.backup)
        }
    }

    private func save(_ rows: RowImport, _ outcome: Outcome, _ store: SQLiteStore) throws -> Outcome {
        let progress = ProgressLine("Importing")
        defer { progress.end() }
        var outcome = outcome
        outcome.replaced = try Interruption.stopping(store) {
            try rows.save(to: store, author: "modelstore") { done in
                progress.update(Int64(done), of: Int64(rows.rowCount))
                try Interruption.check()
            }
        }
        return outcome
    }

    // MARK: Reports

    private static func replacing(_ outcome: Outcome) -> String {
        outcome.replaced > 0
            ? ", \(Amounts.count(outcome.replaced)) of them in place of rows with the same unique values" : ""
    }

    private static func leaving(_ outcome: Outcome) -> [TonedLine] {
        var lines: [TonedLine] = []
        if outcome.leftOutLinks > 0 {
            let links = Amounts.count(outcome.leftOutLinks, "link")
            let destinations = outcome.leftOutLinks == 1 ? "an object that is" : "objects that are"
            lines.append(TonedLine("Left out: \(links) to \(destinations) not imported.", .warning))
        }
        if outcome.leftOutValues > 0 {
            let values = Amounts.count(outcome.leftOutValues, "value")
            lines.append(TonedLine("Left out: \(values) that could not be read when exported.", .warning))
        }
        return lines
    }

    /// JSON is written only once, at the end.
    private func show(_ outcome: Outcome) throws {
        guard format.isTable || !options.write else { return }
        let text = outcome.counts.map { "\(Amounts.count($0.count)) \($0.entity)" }.joined(separator: ", ")
        // The `$` at the beginning of the last columns distinguishes them from entity names.
        var report = Report(
            outcome.counts.isEmpty ? "There is nothing to import." : "To import: \(text)\(Self.replacing(outcome)).",
            outcome.counts.map { InspectedField($0.entity, .count($0.count)) }
                + [
                    InspectedField("$replaced", .count(outcome.replaced)),
                    InspectedField("$linksLeftOut", .count(outcome.leftOutLinks)),
                    InspectedField("$valuesLeftOut", .count(outcome.leftOutValues)),
                ])
        report.lines += Self.leaving(outcome)
        try format.write(report)
    }

    private func writeReport(_ outcome: Outcome, _ backup: URL?) throws {
        var report = Report(
            "\(Amounts.count(outcome.rowCount, "row")) imported\(Self.replacing(outcome)).",
            [
                InspectedField("imported", .count(outcome.rowCount)),
                InspectedField("replaced", .count(outcome.replaced)),
                InspectedField("linksLeftOut", .count(outcome.leftOutLinks)),
                InspectedField("valuesLeftOut", .count(outcome.leftOutValues)),
                InspectedField("backup", .optional(backup?.path)),
            ])
        report.lines += Self.leaving(outcome)
        try format.write(report)
    }
}

/// Shows the progress of each phase of an import.
private final class PhaseProgress {
    private var line: ProgressLine
    private var current: RowImport.Phase?

    /// - Parameter title: the title of the first phase.
    init(_ title: String) { line = ProgressLine(title) }

    /// - Throws: `Stopped` once the user has requested it.
    func update(_ phase: RowImport.Phase, _ done: Int64, _ total: Int64) throws {
        if current != nil, phase != current {
            line.end()
            line = ProgressLine(phase == .linking ? "Linking" : "Comparing")
        }
        current = phase
        line.update(done, of: total)
        try Interruption.check()
    }

    func end() { line.end() }
}
