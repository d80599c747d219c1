import ArgumentParser
import StoreInspection

/// The command `modelstore`.
@main
struct Modelstore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modelstore",
        abstract: "Look into SwiftData and Core Data stores, and change them safely.",
        discussion: """
            Works on any store's file, from the model that the file carries. Nothing is changed without --write; a file \
            that is only looked at stays as it is, its write-ahead log and time of change included.

            EXAMPLES
              modelstore info default.store
              modelstore rows default.store Item --where "name BEGINSWITH 'A'"
              modelstore plan default.store Category --where "name == 'Old'"
              modelstore delete default.store Category --where "name == 'Old'"

            PREDICATES
              are written as for NSPredicate(format:), such as
              name == 'Fox'            age > 3 AND owner != nil
              items.@count == 0        ANY tags.label CONTAINS[cd] 'red'

            EXIT CODES
              0    done
              1    something was found: problems, differences, an impossible delete
              2    it could not be done; the message says why
              64   the command was not understood
              130  stopped by Ctrl-C (143 by SIGTERM, 129 as the terminal has gone)
              141  the output has no reader any more, as after `| head`

            SHELL COMPLETIONS
              modelstore --generate-completion-script zsh   (or bash, fish)
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Looking",
                subcommands: [
                    InfoCommand.self, SchemaCommand.self, RowsCommand.self, CountCommand.self, ShowCommand.self,
                    BrowseCommand.self, HistoryCommand.self, DiffCommand.self, SQLCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: "Deleting and restoring",
                subcommands: [PlanCommand.self, DeleteCommand.self, RestoreCommand.self, EraseCommand.self]),
            CommandGroup(
                name: "Care",
                subcommands: [
                    CheckCommand.self, RepairCommand.self, LintCommand.self, CompactCommand.self, ImportCommand.self,
                ]),
        ])

    static func main() {
        Interruption.install()
        do {
            try checkName(of: CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot(SQLCommand.withStatementLast(Array(CommandLine.arguments.dropFirst())))
            try command.run()
            try Output.standard.flush()
        } catch {
            try? Output.standard.flush()
            Failure.end(error)
        }
    }

    /// - Throws: `ValidationError` for an unknown command.
    private static func checkName(of command: String?) throws {
        // Uses closures, as key paths of metatypes crash the compiler.
        let groups = configuration.groupedSubcommands
        let known = groups.flatMap { $0.subcommands }.compactMap { $0.configuration.commandName }
        guard let command, !command.hasPrefix("-"), !(known + ["help"]).contains(command) else { return }
        throw ValidationError(
            "There is no command '\(command)'.\(Suggestion.text(for: command, among: known)) See `modelstore --help`."
        )
    }
}
