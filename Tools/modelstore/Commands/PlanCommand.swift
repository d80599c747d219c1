import ArgumentParser
import ObjectGraph
import StoreInspection

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "What a delete would do; deletes nothing.",
        discussion: """
            The exit code is 1 for a delete that is not possible.

            EXAMPLES
              modelstore plan default.store Category --where "name == 'Old'"
              modelstore plan default.store Item --sql
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var rows: RowArguments

    @Flag(name: .customLong("sql"), help: "Show the statements that would be run, too.")
    var showsStatements = false

    @OptionGroup var format: FormatOptions

    func run() throws {
        let isRefused = try store.withStore { store in
            let plan = try store.plan(DeleteRequest.careful(.matching(try rows.selection.query(in: store.model))))
            let cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
            try format.write(plan, cost: cost, of: store)
            if format.isTable, showsStatements, let cost { try writeStatements(cost) }
            return plan.isRefused
        }
        if isRefused { throw ExitCode(Failure.found) }
    }

    private func writeStatements(_ cost: DeleteCost) throws {
        try format.write(["", TonedLine("Statements", .strong)] + cost.statements.map { TonedLine("  \($0);", .dim) })
    }
}
