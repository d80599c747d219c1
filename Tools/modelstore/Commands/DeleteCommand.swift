import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete rows by the model's rules; asks first.",
        discussion: """
            Deleted rows are archived in the file and can be restored with `restore`, unless --forever says \
            otherwise. Large deletes are done in steps, so that others can write in between; Ctrl-C stops after a \
            step, and the remaining rows obey the delete rules. A delete that did not finish is listed by \
            --unfinished; --resume continues it, and --drop keeps its remaining rows.

            EXAMPLES
              modelstore delete default.store Category --where "name == 'Old'"
                  (shows the plan)
              modelstore delete default.store Category --where "name == 'Old'" --write
                  (asks, then deletes)
              modelstore delete default.store LogEntry --write --yes --limit 5000
              modelstore delete default.store --unfinished
              modelstore delete default.store --resume 6F1C… --write
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The entity (model class) to delete rows of.", completion: NameCompletion.entities)
    var entity: String?

    @OptionGroup var filter: PredicateOption

    @Option(name: .long, help: "Delete nothing if this would delete more rows, cascaded ones included.")
    var limit: Int?

    @Flag(name: .long, help: "Do not archive the rows: they cannot be restored then.")
    var forever = false

    @Option(name: .long, help: "Written to the history as the author of the change.")
    var author = "modelstore"

    @Option(name: .long, help: "The most rows to delete in one step; more go in several.")
    var rowsAtOnce = 50_000

    @Flag(name: .long, help: "List deletes in steps that ended on the way.")
    var unfinished = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Go on with one of them; the beginning of its identifier is enough.", valueName: "identifier"))
    var resume: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Forget one of them; the rows that are left stay.", valueName: "identifier"))
    var drop: String?

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        let choices = [entity != nil, unfinished, resume != nil, drop != nil].filter { $0 }.count
        if choices != 1 { throw ValidationError("Give an entity, --unfinished, --resume or --drop.") }
        if entity == nil, filter.predicate != nil || limit != nil || forever {
            throw ValidationError("--where, --limit and --forever need an entity.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if rowsAtOnce < 1 { throw ValidationError("--rows-at-once is at least 1.") }
    }

    func run() throws {
        if let resume { return try resumeDelete(resume) }
        if let drop { return try removeRecord(drop) }
        guard let entity else { return try listUnfinished() }
        try delete(RowSelection(entity, predicate: filter.predicate))
    }

    private func delete(_ rows: RowSelection) throws {
        guard options.write else {
            try store.withStore { _ = try show(request(rows, in: $0.model), $0, format) }
            Output.note(WriteOptions.dryRun)
            return
        }
        // Shows the plan and asks for confirmation before the file is opened for writing or backed up. JSON is written
        // only once, at the end.
        let shown = try store.withStore { store in
            try show(request(rows, in: store.model), store, format.isTable ? format : nil)
        }
        guard !shown.isEmpty else {
            if !format.isTable { try report.write(0, nil, nil) }
            return
        }
        guard try options.confirm("Delete \(Amounts.count(shown.deleted.count, "row"))?", changing: store.url) else {
            return Output.note("Nothing was deleted.")
        }
        try options.writing(store) { opened in
            let request = try request(rows, in: opened.store.model)
            if shown.deleted.count <= rowsAtOnce {
                try deleteAtOnce(request, shown, opened)
            } else {
                try deleteInSteps(request, shown, opened)
            }
        }
    }

    private func request(_ rows: RowSelection, in model: Model) throws -> DeleteRequest {
        var request = DeleteRequest.careful(.matching(try rows.query(in: model)))
        request.mostRows = limit
        request.author = author
        request.recovery = forever ? .none : .archived()
        return request
    }

    /// - Parameter format: `nil` to show only what blocks the delete.
    /// - Throws: `ExitCode` if the delete is blocked.
    private func show(_ request: DeleteRequest, _ store: SQLiteStore, _ shown: FormatOptions?) throws -> DeletePlan {
        let plan = try store.plan(request)
        if plan.isRefused || shown != nil {
            let cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
            try (shown ?? format).write(plan, cost: cost, of: store)
        }
        if plan.isRefused { throw ExitCode(Failure.found) }
        return plan
    }

    // MARK: Execution

    /// - Throws: `DeleteError.storeMoved` if the delete would differ from the plan that was shown.
    private func deleteAtOnce(_ request: DeleteRequest, _ shown: DeletePlan, _ opened: WritableStore) throws {
        let progress = ProgressLine("Deleting")
        defer { progress.end() }
        let result = try opened.store.execute(shown, of: request)
        progress.end()
        try report.write(result.plan.deleted.count, result.token, opened)
    }

    /// - Throws: `DeleteError.storeMoved` if the delete would differ from the plan that was shown.
    private func deleteInSteps(_ request: DeleteRequest, _ shown: DeletePlan, _ opened: WritableStore) throws {
        var jobOptions = DeleteJobOptions()
        jobOptions.keeping = forever ? .none : .everyChunk
        jobOptions.budget.rows = min(jobOptions.budget.rows, rowsAtOnce)
        let job = try opened.store.startJob(request, jobOptions, expecting: shown)
        try SteppedDelete(store: store, options: options, format: format).run(job, opened)
    }

    private var report: DeleteReport {
        DeleteReport(store: store, options: options, format: format)
    }
}
