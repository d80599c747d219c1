import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for everything wrong with a store.",
        discussion: """
            The exit code is 1 if there are errors or warnings. Notes may have come about rightly, as the model's delete \
            rules allow them.

            EXAMPLES
              modelstore check default.store
              modelstore check default.store --format json
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var format: FormatOptions

    func run() throws {
        let findings = try store.withStore { store in
            let meter = ProgressMeter()
            let progress = ProgressLine("Checking", following: meter)
            defer { progress.end() }
            return try store.check(meter)
        }
        switch format.format {
        case .json, .ndjson: try format.write(list: findings.map(\.value))
        case .csv:
            try format.write(
                ["severity", "kind", "place", "count", "examples"],
                findings.map {
                    [
                        .text("\($0.severity)"), .text($0.kind.rawValue), .text($0.place), .count($0.count),
                        .texts($0.examples.map(\.address)),
                    ]
                }, nothing: "")
        case .table:
            try format.write(
                findings.isEmpty ? [TonedLine("Nothing is wrong.", .good)] : findings.map(FindingText.line))
        }
        if findings.contains(where: { $0.severity > .note }) { throw ExitCode(Failure.found) }
    }
}

/// Formats findings as text.
enum FindingText {
    static func line(_ finding: StoreFinding) -> TonedLine {
        mark(finding.severity).adding(sentence(finding.text(naming: \.address)))
    }

    private static func mark(_ severity: StoreFinding.Severity) -> TonedLine {
        switch severity {
        case .error: TonedLine("✗ error    ", .bad)
        case .warning: TonedLine("! warning  ", .warning)
        case .note: TonedLine("· note     ", .dim)
        }
    }

    private static func sentence(_ text: String) -> TonedLine {
        TonedLine(text.prefix(1).uppercased() + text.dropFirst())
    }
}
