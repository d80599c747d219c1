import Foundation
import ObjectGraph

/// A model as Swift source: one `@Model` class for each entity, and a type for each composite value. Details that a
/// model does not contain (the type behind a transformer, the case names of an enum) are described in a comment, or
/// inferred from values in the store.
package struct SwiftModelSource {
    private let model: Model
    private let types: CompositeTypes

    /// - Parameter rawValues: values found in rows, by entity and attribute, to generate the cases of enums.
    package init(_ model: Model, rawValues: [RawValuePlace: [Value]] = [:]) {
        self.model = model
        types = CompositeTypes(model, rawValues: rawValues)
    }

    /// One attribute of one entity.
    package struct RawValuePlace: Hashable, Sendable {
        package let entity: String
        package let attribute: String

        package init(entity: String, attribute: String) {
            self.entity = entity
            self.attribute = attribute
        }
    }

    /// Attributes whose values are needed to generate the cases of enums.
    package static func enumPlaces(_ model: Model) -> [(place: RawValuePlace, entityIndex: Int, slot: Int)] {
        model.entities.flatMap { entity in
            entity.attributes.filter { CompositeTypes.isRawEnum($0.attribute) && $0.declaringIndex == entity.index }.map
            {
                (RawValuePlace(entity: entity.name, attribute: $0.name), entity.index, $0.slots.lowerBound)
            }
        }
    }

    package var text: String {
        var parts = ["import Foundation\nimport SwiftData"]
        let versions = model.versionIdentifiers.filter { !$0.isEmpty }
        if !versions.isEmpty {
            parts.append("// Version \(SwiftName.comment(versions.joined(separator: ", "))) of the model.")
        }
        let inexact = InexactProperties(model).comment
        if !inexact.isEmpty { parts.append(inexact.joined(separator: "\n")) }
        parts += sorted.map { SwiftClassSource($0, model, types).text }
        parts += types.declarations
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// Entities sorted so that superclasses come first.
    private var sorted: [Entity] {
        var found: [Entity] = []
        func visit(_ indexes: [Int]) {
            for entity in indexes.map({ model[$0] }).sorted(by: { $0.name < $1.name }) {
                found.append(entity)
                visit(entity.subentityIndexes)
            }
        }
        visit(model.entities.filter(\.isRoot).map(\.index))
        return found
    }
}
