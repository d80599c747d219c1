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
        do {
            try Interruption.stopping({ job.cancel(.afterChunk) }) {
                while job.current.phase != .finished {
                    let now = try job.step()
                    progress.update(Int64(now.rowsDone), of: Int64(now.rowsTotal))
                }
            }
        } catch {
            progress.end()
            throw try stopped(job, by: error, opened)
        }
        progress.end()
        try tell(job.current.rowsDone, token(of: job), opened)
    }

    private func token(of job: DeleteJob) -> RecoveryToken? { forever ? nil : RecoveryToken(uuid: job.id) }

    /// What is done stays done. The file forgets that more was wanted, unless it failed on the way and can go on.
    /// - Returns: what tells of the rows that have gone.
    private func stopped(_ job: DeleteJob, by error: any Error, _ opened: WritableStore) throws -> any Error {
        let (done, total) = (job.current.rowsDone, job.current.rowsTotal)
        let isUnfinished = job.current.phase != .finished
        if isUnfinished, error is Stopped || done == 0 { try? opened.store.dropJob(job.id) }
        guard done > 0 else { return error }
        let token = token(of: job)
        if !format.isTable { try tell(done, token, opened) }
        let gone = "\(Amounts.count(done, "row")) had gone already."
        let wayBack = token.map { " " + undo($0) } ?? ""
        if error is Stopped { return Stopped(message: "Stopped. \(gone)\(wayBack)") }
        let left =
            isUnfinished
            ? " The file keeps the delete as unfinished, with \(Amounts.count(total - done, "row")) to go." : ""
        return InspectionError.badInput("\(gone)\(left)\(wayBack)\n(\(Failure.text(error)))")
    }

    private func undo(_ token: RecoveryToken) -> String {
        "Take it back with: modelstore restore \(store.typed) \(token) --write"
    }

    private func tell(_ count: Int, _ token: RecoveryToken?, _ opened: WritableStore?) throws {
        var report = Report(
            "\(Amounts.count(count, "row")) deleted.",
            [InspectedField("deleted", .count(count)), InspectedField("token", .optional(token?.description))])
        if let token {
            report.lines.append(TonedLine(undo(token)))
        }
        report.fields.append(InspectedField("backup", .optional(opened?.backup?.path)))
        try format.write(report)
    }
}
