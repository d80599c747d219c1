import ObjectGraph

/// The property of each entity that identifies its rows in two stores whose primary keys are unrelated.
package struct RowNaming: Sendable {
    /// By entity name; subentities inherit the property.
    private var properties: [String: String] = [:]
    /// Properties for every entity that has them and no property of its own here.
    private var general: [String] = []

    /// - Parameter texts: `property`, or `Entity.property`.
    /// - Throws: `InspectionError` for a name that neither model has.
    package init(_ texts: [String], _ old: Model, _ new: Model) throws {
        for text in texts {
            let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
            if parts.count == 2 {
                let entity = try old.inspectedEntity(parts[0])
                try Self.check(parts[1], of: entity, new)
                properties[entity.name] = parts[1]
            } else {
                guard old.entities.contains(where: { $0.attribute(named: text) != nil }) else {
                    throw InspectionError.badInput("No entity has an attribute '\(text)'.")
                }
                general.append(text)
            }
        }
    }

    private static func check(_ property: String, of entity: Entity, _ new: Model) throws {
        for entity in [entity, new.entity(named: entity.name)].compactMap({ $0 })
        where entity.attribute(named: property) == nil {
            throw InspectionError.unknownProperty(
                entity: entity.name, property: property, known: entity.attributes.map(\.name))
        }
    }

    /// Whether a property names the relationship's destinations.
    func names(_ relationship: EntityRelationship, _ model: Model) -> Bool {
        property(of: model.destination(of: relationship), in: model) != nil
    }

    /// - Returns: `nil` for an entity without such a property.
    package func property(of entity: Entity, in model: Model) -> String? {
        var current: Entity? = entity
        while let above = current {
            if let property = properties[above.name] { return property }
            current = above.superentityIndex.map { model[$0] }
        }
        return general.first { entity.attribute(named: $0) != nil }
    }
}
