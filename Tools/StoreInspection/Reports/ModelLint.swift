import ObjectGraph
import SQLiteStore

/// Finds effects of a file's model and indexes that may be unintended.
package enum ModelLint {
    /// Warnings about rules first, then about mandatory links that deletes leave dangling, then about foreign keys
    /// without an index.
    package static func warnings(_ store: any Store & SetDeleting) -> [ModelWarning] {
        DeleteRuleLint.warnings(of: store.model).map(ModelWarning.rule) + danglingMandatory(store.model)
            + store.openingWarnings.map(ModelWarning.rule)
    }

    /// Mandatory to-one relationships without an inverse: deleting the destination leaves them dangling. Each is
    /// reported once, at the entity that declares it.
    package static func danglingMandatory(_ model: Model) -> [ModelWarning] {
        model.entities.flatMap { entity in
            entity.relationships.filter { relationship in
                let rule = relationship.relationship
                return relationship.declaringIndex == entity.index && relationship.isToOne && !rule.isTransient
                    && !rule.isOptional && rule.inverseName == nil
            }.map {
                .mandatoryWithoutInverse(
                    model.end($0), destination: $0.relationship.destinationName)
            }
        }
    }

    package static func value(_ warning: ModelWarning) -> InspectedValue {
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
