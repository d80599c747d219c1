import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Delete without leaving a trace in the file.",
        discussion: """
            Deleted rows are overwritten, archived deletes are discarded, history is deleted, the write-ahead log is \
            emptied, and the file is written anew. Nothing can be restored, and no backup is made, as that would have \
            everything in it (--backup makes one all the same). Copies elsewhere, and blocks that file system and disk \
            keep, are out of reach.

            EXAMPLES
              modelstore erase default.store Person --where "name == 'Ada'" --write
              modelstore erase default.store --traces --write    (of earlier deletes)
              modelstore erase default.store --everything --write
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The entity (model class) to delete rows of.", completion: NameCompletion.entities)
    var entity: String?

    @OptionGroup var filter: PredicateOption

    @Flag(name: .long, help: "Delete every row of every entity.")
    var everything = false

    @Flag(name: .long, help: "Delete no rows; erase the traces of earlier deletes.")
    var traces = false

    @Flag(name: .long, help: "Make a copy of the file first, which has everything that is to be erased.")
    var backup = false

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        let choices = [entity != nil, everything, traces].filter { $0 }.count
        if choices != 1 { throw ValidationError("Give one of these: an entity, --everything, --traces.") }
        if backup, options.noBackup { throw ValidationError("--backup and --no-backup exclude each other.") }
        if filter.predicate != nil, entity == nil { throw ValidationError("--where needs an entity.") }
    }

    func run() throws {
        let shown = traces ? try showTraces() : try store.withStore { store in try show(store) }
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        let question =
            traces
            ? "Erase the traces of earlier deletes for good?"
            : "Erase \(Amounts.count(shown.deleted.count, "row")) and all traces for good?"
        guard try options.confirm(question, changing: store.url) else { return Output.note("Nothing was erased.") }
        let before = FileStamp(store.url)?.size ?? 0
        let (result, url) = try options.writing(store, makesBackup: backup) { opened in
            (try erase(shown, opened.store), opened.url)
        }
        try report(result, before: before, Copies(beside: url))
    }

    /// - Throws: `DeleteError.storeMoved` if the delete would differ from the plan that was shown.
    private func erase(_ shown: DeletePlan, _ store: SQLiteStore) throws -> ErasureResult {
        var progress: ProgressLine?
        defer { progress?.end() }
        do {
            return try store.erase(
                try request(in: store.model), expecting: traces ? nil : shown, tellsOthers: options.inUse
            ) { phase in
                progress?.end()
                progress = Self.progress(of: phase)
            }
        } catch let error as UnfinishedErasure {
            let gone =
                error.plan.isEmpty
                ? "Some traces of earlier deletes" : Amounts.count(error.plan.deleted.count, "row")
            let text =
                "\(gone) had gone already, but traces are still in the file. "
                + "Erase them with: \(self.store.command("erase", "--traces", options))"
            if Interruption.isRequested { throw Stopped(message: "Stopped. " + text) }
            throw InspectionError.badInput(text + "\n(\(Failure.text(error.reason)))")
        } catch let error as SQLiteError where shown.isEmpty && error.isInterrupt {
            throw Stopped(message: "Stopped. Traces may still be in the file; run the command again to erase them.")
        }
    }

    private static func progress(of phase: ErasurePhase) -> ProgressLine {
        switch phase {
        case .deleting(let meter): ProgressLine("Deleting", following: meter)
        case .forgetting: ProgressLine("Erasing traces")
        case .compacting(let meter): ProgressLine("Writing the file anew", following: meter)
        }
    }

    private func request(in model: Model) throws -> DeleteRequest? {
        if traces { return nil }
        guard let entity else { return DeleteRequest(.everything) }
        var request = DeleteRequest.careful(
            .matching(try RowSelection(entity, predicate: filter.predicate).query(in: model)))
        request.author = "modelstore"
        request.recovery = .none
        return request
    }

    /// - Returns: an empty plan, as no rows are deleted.
    private func showTraces() throws -> DeletePlan {
        try store.inspecting { file in
            let store = try file.store()
            let found = try Interruption.stopping(store) { try store.eraseTraces() }
            if format.isTable || !options.write { try format.write(TracesReport(found, file).report) }
        }
        return DeletePlan()
    }

    private func show(_ store: SQLiteStore) throws -> DeletePlan {
        guard let request = try request(in: store.model) else { return DeletePlan() }
        let plan = try store.plan(request)
        // JSON is written only once, at the end.
        if format.isTable || !options.write || plan.isRefused {
            let cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
            try format.write(plan, cost: cost, of: store)
        }
        if plan.isRefused { throw ExitCode(Failure.found) }
        return plan
    }

    /// Earlier copies of the store that still contain the erased data.
    private struct Copies {
        let backups: [String]
        let unfinished: [String]

        init(beside url: URL) {
            backups = StoreBackup.names(beside: url)
            unfinished = StoreBackup.unfinishedNames(beside: url)
        }

        var lines: [TonedLine] {
            let notes = [
                ("still has it all, as a backup of before", backups),
                ("may still have it all, as a backup that was never finished", unfinished),
            ]
            return notes.filter { !$0.1.isEmpty }.map { text, names in
                TonedLine("  \(text): \(names.joined(separator: ", "))", .warning)
            }
        }

        var fields: [InspectedField] {
            [InspectedField("backups", .texts(backups)), InspectedField("unfinishedBackups", .texts(unfinished))]
        }
    }

    private func report(_ result: ErasureResult, before: Int64, _ copies: Copies) throws {
        let after = FileStamp(store.url)?.size ?? 0
        var report = Report(TonedLine("Erased", .strong))
        func add(_ name: String, _ count: Int, _ text: String) {
            report.fields.append(InspectedField(name, .count(count)))
            if count > 0 { report.lines.append(TonedLine("  \(text)")) }
        }
        let (rows, kept) = (result.plan.deleted.count, result.purgedDeletes.count)
        add("deleted", rows, "\(Amounts.count(rows, "row")) deleted and overwritten")
        add("givenUp", kept, "\(Amounts.count(kept, "recoverable delete")) given up")
        add(
            "forgottenTransactions", result.prunedTransactions,
            "\(Amounts.count(result.prunedTransactions, "transaction")) of the history forgotten")
        if options.inUse, rows > 0 {
            report.lines.append(
                TonedLine(
                    "  for other processes, the history still says which rows were deleted, and when; --traces removes it",
                    .warning
                ))
        }
        add(
            "clearedTombstones", result.clearedTombstones,
            "values of \(Amounts.count(result.clearedTombstones, "deleted object")) cleared from history")
        report.lines.append(TonedLine("  file written anew: \(Amounts.bytes(before)) → \(Amounts.bytes(after))"))
        report.lines.append(
            result.isLogEmpty
                ? TonedLine("  write-ahead log emptied")
                : TonedLine(
                    "  the write-ahead log could not be emptied, as others read; close them and run --traces", .warning)
        )
        report.lines += copies.lines
        report.fields += [
            InspectedField("before", .integer(before)), InspectedField("after", .integer(after)),
            InspectedField("logEmpty", .boolean(result.isLogEmpty)),
        ]
        report.fields += copies.fields
        try format.write(report)
    }
}
