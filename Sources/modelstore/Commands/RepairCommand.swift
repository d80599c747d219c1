import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Put right what `check` finds.",
        discussion: """
            The exit code is 1 if something stays wrong.

            EXAMPLES
              modelstore repair default.store             (shows what it would do)
              modelstore repair default.store --write
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var options: WriteOptions

    func run() throws {
        let plan = try store.withStore { store in
            let progress = ProgressLine("Checking")
            defer { progress.end() }
            return try store.repairPlan()
        }
        for line in Self.lines(plan) { try Output.standard.line(Terminal.paint(line)) }
        try Output.standard.flush()
        if !plan.isEmpty {
            if options.write {
                guard try options.confirm("Repair?") else { return Output.note("Nothing was repaired.") }
                try repair(plan)
            } else {
                Output.note(WriteOptions.dryRun)
            }
        }
        if !plan.unrepairable.isEmpty { throw ExitCode(Failure.found) }
    }

    private func repair(_ plan: StoreRepairPlan) throws {
        try options.writing(store.url) { opened in
            let progress = ProgressLine("Repairing")
            defer { progress.end() }
            // Identities name the store, and so are the same whichever copy of the file they were read from.
            _ = try opened.store.repair(plan)
            progress.end()
            try Output.standard.line("\(Amounts.count(plan.steps.count, "repair")) done.")
        }
    }

    private static func lines(_ plan: StoreRepairPlan) -> [TonedLine] {
        if plan.isEmpty, plan.unrepairable.isEmpty { return [TonedLine("Nothing to repair.", .good)] }
        return plan.steps.map { TonedLine("→ ", .good).adding(shortened($0.description)) }
            + plan.unrepairable.map { stays in
                FindingText.line(stays.finding).adding("; not repaired: \(stays.reason)", .dim)
            }
    }

    /// Addresses without the store, which is the same in all.
    private static func shortened(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.hasPrefix("x-coredata://") else { return String(word) }
            return word.dropFirst("x-coredata://".count).drop { $0 != "/" }.dropFirst().description
        }.joined(separator: " ")
    }
}
