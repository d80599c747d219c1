import Foundation
import Logging
import ObjectGraph

/// Warnings of the delete rule linter and of the schema's own check, given when a container is created: one line in the log
/// for each warning, an error for a declaration that can never work.
struct ContainerWarnings {
    private let schema: Schema
    private let ofModel: [DeleteRuleWarning]
    private let ofClasses: [SchemaWarning]

    /// - Throws: `DeleteRuleRefusal` for the first declaration that can never work. Nothing has been opened at that point.
    init(_ model: Model, _ schema: Schema) throws {
        let warnings = DeleteRuleLint.warnings(of: model)
        if let refused = warnings.first(where: { $0.severity == .error }) { throw DeleteRuleRefusal(cause: refused) }
        self.schema = schema
        ofModel = warnings
        ofClasses = SchemaWarning.all(of: schema)
    }

    /// Logs the warnings. The logger is created anew, so that a log handler that was set up after the first container is
    /// used too.
    func log(with ofFiles: [DeleteRuleWarning]) {
        let silenced = ModelContainer.silencedWarnings
        let logged =
            (ofModel + ofFiles).filter { !$0.isSilenced(by: silenced) && !isMeant($0) }.map(\.line)
            + ofClasses.filter { !$0.isSilenced(by: silenced) }.map(\.description)
        guard !logged.isEmpty else { return }
        let logger = Logger(label: ModelContext.logger.label)
        for line in logged { logger.warning("\(line)") }
    }

    /// Whether the classes themselves silence the warning: by a comment at a relationship that it names, or by an explicit
    /// inverse of `nil`.
    private func isMeant(_ warning: DeleteRuleWarning) -> Bool {
        if warning.severity == .warning, warning.ends.contains(where: { silences(warning.code, at: $0) }) {
            return true
        }
        guard case .toManyWithoutInverse(let end, _) = warning else { return false }
        return schema.entitiesByName[end.entity]?.relationshipsByName[end.relationship]?.isOneWay == true
    }

    private func silences(_ code: String, at end: DeleteRuleWarning.End) -> Bool {
        let modelType = schema.modelTypes.first { $0.entityName == end.entity }
        return modelType?.type.schemaMetadata.contains {
            $0.name == end.relationship && $0.silencedWarnings.contains(code)
        } ?? false
    }
}

/// A model that is refused because one of its declarations can never work.
struct DeleteRuleRefusal: Error, CustomStringConvertible {
    let cause: DeleteRuleWarning

    var description: String { cause.line }
}

extension ModelContainer {
    /// Warnings about models and their delete rules that are not logged. An entry is a code (`cascade-both-ways`, as it
    /// stands at the end of each warning), a model class (`Person`), a relationship (`Person.friends`), or `all`. In the
    /// source, `// openswiftdata:silence` and a code in a line above a relationship silence that warning for that
    /// relationship only.
    ///
    /// The initial entries are those of the environment variable `OPENSWIFTDATA_SILENCE`, separated by commas. Set this
    /// property before the containers concerned are created; any thread may set it. Errors cannot be silenced.
    public static var silencedWarnings: Set<String> {
        get { SilencedWarnings.current.withLock { $0 } }
        set { SilencedWarnings.current.withLock { $0 = newValue } }
    }
}

enum SilencedWarnings {
    static let variable = "OPENSWIFTDATA_SILENCE"

    static let current = Locked(entries(ProcessInfo.processInfo.environment[variable] ?? ""))

    static func entries(_ text: String) -> Set<String> {
        Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
    }
}
