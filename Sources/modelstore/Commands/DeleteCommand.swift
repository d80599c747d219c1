import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete rows by the model's rules; asks first.",
        discussion: """
            Rows that go are kept in the file and can be brought back with `restore`, unless --forever says otherwise. \
            Large deletes are done in steps, so that others can write in between; Ctrl-C stops after a step, and what is \
            left obeys the delete rules.

            EXAMPLES
              modelstore delete default.store Category --where "name == 'Old'"
                  (shows the plan)
              modelstore delete default.store Category --where "name == 'Old'" --write
                  (asks, then deletes)
              modelstore delete default.store LogEntry --write --yes --limit 5000
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var rows: RowArguments

    @Option(name: .long, help: "Delete nothing if more rows than this would go, those taken along included.")
    var limit: Int?

    @Flag(name: .long, help: "Do not keep what goes; it cannot be brought back then.")
    var forever = false

    @Option(name: .long, help: "Written to the history as the author of the change.")
    var author = "modelstore"

    @Option(name: .long, help: "Delete in steps when more rows than this go.")
    var rowsAtOnce = 50_000

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if rowsAtOnce < 1 { throw ValidationError("--rows-at-once is at least 1.") }
    }

    func run() throws {
        guard options.write else {
            try store.withStore { _ = try show(request(in: $0.model), $0, format) }
            Output.note(WriteOptions.dryRun)
            return
        }
        // Shown, and asked about, before anything is opened for writing or copied. Programs are told once, at the end.
        let shown = try store.withStore { store in
            try show(request(in: store.model), store, format.isTable ? format : nil)
        }
        guard !shown.isEmpty else {
            if !format.isTable { try tell(0, nil, nil) }
            return
        }
        guard try options.confirm("Delete \(Amounts.count(shown.deleted.count, "row"))?", changing: store.url) else {
            return Output.note("Nothing was deleted.")
        }
        try options.writing(store.url) { opened in
            let request = try request(in: opened.store.model)
            if shown.deleted.count <= rowsAtOnce {
                try deleteAtOnce(request, shown, opened)
            } else {
                try deleteInSteps(request, shown, opened)
            }
        }
    }

    private func request(in model: Model) throws -> DeleteRequest {
        var request = DeleteRequest(.matching(try rows.selection.query(in: model)))
        request.mostRows = limit
        request.author = author
        request.recovery = forever ? .none : .kept()
        return request
    }

    /// - Parameter format: `nil` to show only what stands in the way.
    /// - Throws: `ExitCode` for a plan that is not possible.
    private func show(_ request: DeleteRequest, _ store: SQLiteStore, _ shown: FormatOptions?) throws -> DeletePlan {
        let plan = try store.plan(request)
        if plan.isRefused || shown != nil {
            let cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
            try (shown ?? format).write(plan, cost: cost, in: store.model)
        }
        if plan.isRefused { throw ExitCode(Failure.found) }
        return plan
    }

    // MARK: Doing it

    /// - Throws: `DeleteError.storeMoved` when it would not do any more what was shown.
    private func deleteAtOnce(_ request: DeleteRequest, _ shown: DeletePlan, _ opened: WritableStore) throws {
        let progress = ProgressLine("Deleting")
        defer { progress.end() }
        let result = try opened.store.execute(shown, of: request)
        progress.end()
        try tell(result.plan.deleted.count, result.token, opened)
    }

    /// - Throws: `DeleteError.storeMoved` when it would not do any more what was shown.
    private func deleteInSteps(_ request: DeleteRequest, _ shown: DeletePlan, _ opened: WritableStore) throws {
        let store = opened.store
        var jobOptions = DeleteJobOptions()
        jobOptions.keeping = forever ? .none : .everyChunk
        let job = try store.startJob(request, jobOptions, expecting: shown)
        let progress = ProgressLine("Deleting")
        defer { progress.end() }
        try Interruption.stopping({ job.cancel(.afterChunk) }) {
            do {
                while job.current.phase != .finished {
                    let now = try job.step()
                    progress.update(Int64(now.rowsDone), of: Int64(now.rowsTotal))
                }
            } catch is CancellationError {
                progress.end()
                try stop(job, store)
            }
        }
        progress.end()
        try tell(job.current.rowsDone, forever ? nil : RecoveryToken(uuid: job.id), opened)
    }

    /// What is done stays done; the file forgets that more was wanted.
    private func stop(_ job: DeleteJob, _ store: SQLiteStore) throws {
        let done = job.current.rowsDone
        if job.current.phase != .finished { try store.dropJob(job.id) }
        let undo =
            forever || done == 0 ? "" : " Take it back with: modelstore restore \(self.store.typed) \(job.id) --write"
        throw Stopped(message: "Stopped. \(Amounts.count(done, "row")) had gone already.\(undo)")
    }

    private func tell(_ count: Int, _ token: RecoveryToken?, _ opened: WritableStore?) throws {
        var report = Report(
            "\(Amounts.count(count, "row")) deleted.",
            [InspectedField("deleted", .count(count)), InspectedField("token", .optional(token?.description))])
        if let token {
            report.lines.append(
                TonedLine("Take it back with: modelstore restore \(self.store.typed) \(token) --write"))
        }
        report.fields.append(InspectedField("backup", .optional(opened?.backup?.path)))
        try format.write(report)
    }
}
