import ArgumentParser
import SQLiteStore
import StoreInspection
import StoreSQL

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Run a statement of SQL that only reads.",
        discussion: """
            Cells are what SQLite holds: dates are seconds since 2001-01-01 UTC. In a table, bytes are described; the \
            other formats have them as base64. Where columns have the same name, JSON calls them by name, name_2 and so on.

            EXAMPLES
              modelstore sql default.store "$(cat report.sql)" --format csv > report.csv
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: ArgumentHelp("One statement.", valueName: "statement"))
    var statement: String

    @OptionGroup var format: FormatOptions

    func run() throws {
        try store.inspecting { file in
            let connection = try file.connection()
            try Interruption.stopping({ connection.interrupt() }) {
                var writer: RecordWriter?
                var names: [String] = []
                try connection.runReadOnly(statement) { columns in
                    names = format.format == .json || format.format == .ndjson ? Self.distinct(columns) : columns
                    writer = RecordWriter(format.format, columns: names, .values)
                } row: { cells in
                    try Interruption.check()
                    try writer?.add(zip(names, cells).map { InspectedField($0, value($1)) })
                }
                try writer?.finish(nothing: "No rows.")
            }
        }
    }

    /// Moves a statement that begins with a comment (`--`) to the end, after `--`, so that it is not parsed as an
    /// option.
    static func withStatementLast(_ arguments: [String]) -> [String] {
        guard arguments.first == configuration.commandName, !arguments.contains("--"),
            let place = arguments.firstIndex(where: isComment)
        else { return arguments }
        return arguments[..<place] + arguments[(place + 1)...] + ["--", arguments[place]]
    }

    private static func isComment(_ argument: String) -> Bool {
        argument.hasPrefix("--") && argument.dropFirst(2).first.map { !$0.isLetter } ?? false
            || argument.hasPrefix("--") && argument.contains(where: \.isNewline)
    }

    /// Makes the column names distinct, as JSON objects need unique keys.
    private static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names)
        var seen: Set<String> = []
        return names.map { name in
            if seen.insert(name).inserted { return name }
            let free = (2...).lazy.map { "\(name)_\($0)" }.first { !taken.contains($0) } ?? name
            taken.insert(free)
            return free
        }
    }

    private func value(_ cell: Cell) -> InspectedValue {
        switch cell {
        case .null: .none
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .bytes(let data): format.isTable ? BytesText.readable(data) : .text(data.base64EncodedString())
        }
    }
}
