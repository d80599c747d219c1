import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Put right what `check` finds.",
        discussion: """
            The exit code is 1 if something stays wrong, as it does without --write.

            EXAMPLES
              modelstore repair default.store             (shows what it would do)
              modelstore repair default.store --write
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let plan = try store.withStore { store in
            let progress = ProgressLine("Checking")
            defer { progress.end() }
            return try store.repairPlan()
        }
        if format.isTable { try format.write(Self.lines(plan)) }
        let isDone = options.write && !plan.isEmpty ? try confirmed(plan) : false
        if isDone {
            try repair(plan)
        } else {
            if !format.isTable { try format.write(Report(TonedLine(), Self.fields(plan, isDone: false))) }
            if !plan.isEmpty { Output.note(options.write ? "Nothing was repaired." : WriteOptions.dryRun) }
        }
        guard plan.unrepairable.isEmpty, isDone || plan.isEmpty else { throw ExitCode(Failure.found) }
    }

    /// Shows the repairs before the question, even if the result is written as JSON.
    private func confirmed(_ plan: StoreRepairPlan) throws -> Bool {
        if !format.isTable, !options.yes { for line in Self.lines(plan) { Output.note(line.text) } }
        return try options.confirm("Repair?", changing: store.url)
    }

    private func repair(_ plan: StoreRepairPlan) throws {
        try options.writing(store) { opened in
            let progress = ProgressLine("Repairing")
            defer { progress.end() }
            // Object IDs contain the store's identifier, so they are the same in any copy of the file.
            _ = try opened.store.repair(plan)
            progress.end()
            let fields = Self.fields(plan, isDone: true) + [.backup(opened)]
            try format.write(Report("\(Amounts.count(plan.steps.count, "repair")) done.", fields))
        }
    }

    // MARK: JSON

    private static func fields(_ plan: StoreRepairPlan, isDone: Bool) -> [InspectedField] {
        [
            InspectedField("repairs", .texts(plan.steps.map { $0.text(naming: \.address) })),
            InspectedField(
                "stays",
                .texts(
                    plan.unrepairable.map {
                        "\($0.finding.severity): \($0.finding.text(naming: \.address)); \($0.reason)"
                    })),
            InspectedField("done", .boolean(isDone)),
        ]
    }

    // MARK: Text

    private static func lines(_ plan: StoreRepairPlan) -> [TonedLine] {
        if plan.isEmpty, plan.unrepairable.isEmpty { return [TonedLine("Nothing to repair.", .good)] }
        return plan.steps.map { TonedLine("→ ", .good).adding($0.text(naming: \.address)) }
            + plan.unrepairable.map { stays in
                FindingText.line(stays.finding).adding("; not repaired: \(stays.reason)", .dim)
            }
    }
}
