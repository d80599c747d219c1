import ObjectGraph
import SQLiteStore

/// What a file's model, and its indexes, will do that may not have been meant.
package enum ModelLint {
    /// Rules first, then keys without index.
    package static func warnings(_ store: any Store) -> [DeleteRuleWarning] {
        DeleteRuleLint.warnings(of: store.model) + store.openingWarnings
    }

    package static func value(_ warning: DeleteRuleWarning) -> InspectedValue {
        .fields([
            InspectedField("code", .text(warning.code)),
            InspectedField("severity", .text(warning.severity == .error ? "error" : "warning")),
            InspectedField("properties", .texts(warning.ends.map(\.description))),
            InspectedField("text", .text(warning.description)),
        ])
    }
}

extension StoreFinding {
    package var value: InspectedValue {
        .fields([
            InspectedField("kind", .text(kind.rawValue)), InspectedField("severity", .text("\(severity)")),
            InspectedField("entity", .optional(entity)), InspectedField("property", .optional(property)),
            InspectedField("count", .count(count)), InspectedField("examples", .texts(examples.map(\.address))),
            InspectedField("messages", .texts(messages)), InspectedField("text", .text(description)),
        ])
    }
}
