import ArgumentParser
import ObjectGraph
import StoreInspection

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Look for doubtful delete rules and missing indexes.",
        discussion: """
            The exit code is 1 if there are warnings.

            EXAMPLES
              modelstore lint default.store
              modelstore lint default.store --ignore Recipe.steps
            """)

    @OptionGroup var store: StoreArgument

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out a kind of warning, an entity, or Entity.relationship; may be given several times.",
            valueName: "what"))
    var ignore: [String] = []

    @OptionGroup var format: FormatOptions

    /// A misspelled name would silently hide nothing, so unknown names are rejected.
    private func checkNames(in model: Model) throws {
        let relationships = model.entities.flatMap { entity in entity.relationships.map { "\(entity.name).\($0.name)" }
        }
        let known = Set(
            [DeleteRuleWarning.silencesAll] + ModelWarning.codes + model.entities.map(\.name) + relationships)
        if let unknown = ignore.first(where: { !known.contains($0) }) {
            throw ValidationError(
                "--ignore \(unknown): there is no such kind of warning, entity or Entity.relationship. Kinds are "
                    + ModelWarning.codes.joined(separator: ", ") + ".")
        }
    }

    func run() throws {
        let warnings = try store.withStore { store in
            try checkNames(in: store.model)
            return ModelLint.warnings(store)
        }.filter { !$0.isSilenced(by: Set(ignore)) }
        switch format.format {
        case .json, .ndjson: try format.write(list: warnings.map(ModelLint.value))
        case .csv:
            try format.write(
                ["code", "properties", "text"],
                warnings.map { [.text($0.code), .texts($0.ends.map(\.description)), .text($0.description)] },
                nothing: "")
        case .table:
            let lines = warnings.map { warning in
                TonedLine(warning.severity == .error ? "✗ " : "! ", warning.severity == .error ? .bad : .warning)
                    .adding(warning.description).adding("  [\(warning.code)]", .dim)
            }
            try format.write(lines.isEmpty ? [TonedLine("Nothing to remark.", .good)] : lines)
        }
        if !warnings.isEmpty { throw ExitCode(Failure.found) }
    }
}
