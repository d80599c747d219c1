import ObjectGraph

/// A model as JSON values: entities with their properties.
package enum ModelOutline {
    package static func value(_ model: Model) -> InspectedValue {
        .fields([
            InspectedField("versionIdentifiers", .texts(model.versionIdentifiers)),
            InspectedField("entities", .list(sorted(model).map { entity($0, model) })),
        ])
    }

    /// Entities by name, each followed by its subentities.
    package static func sorted(_ model: Model) -> [Entity] {
        var found: [Entity] = []
        func visit(_ indexes: [Int]) {
            for entity in indexes.map({ model[$0] }).sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
                found.append(entity)
                visit(entity.subentityIndexes)
            }
        }
        visit(model.entities.filter(\.isRoot).map(\.index))
        return found
    }

    /// Attributes that the entity declares itself, in the order of the model.
    package static func ownAttributes(_ entity: Entity) -> [EntityAttribute] {
        entity.attributes.filter { $0.declaringIndex == entity.index }
    }

    package static func ownRelationships(_ entity: Entity) -> [EntityRelationship] {
        entity.relationships.filter { $0.declaringIndex == entity.index }
    }

    package static func entity(_ entity: Entity, _ model: Model) -> InspectedValue {
        .fields([
            InspectedField("name", .text(entity.name)),
            InspectedField("superentity", .optional(entity.superentityIndex.map { model[$0].name })),
            InspectedField("abstract", .boolean(entity.isAbstract)),
            InspectedField("unique", .list(entity.uniquenessConstraints.map(InspectedValue.texts))),
            InspectedField("indexes", .list(entity.indexes.map(index))),
            InspectedField("attributes", .list(ownAttributes(entity).map { attribute($0.attribute) })),
            InspectedField("relationships", .list(ownRelationships(entity).map { relationship($0.relationship) })),
        ])
    }

    private static func index(_ index: FetchIndex) -> InspectedValue {
        var fields = [
            InspectedField("name", .text(index.name)), InspectedField("properties", .texts(index.propertyNames)),
        ]
        let descending = index.elements.filter { !$0.isAscending }.map(\.propertyName)
        if !descending.isEmpty { fields.append(InspectedField("descending", .texts(descending))) }
        if let condition = index.condition { fields.append(InspectedField("where", .text(condition))) }
        return .fields(fields)
    }

    private static func attribute(_ attribute: Attribute) -> InspectedValue {
        var fields = [
            InspectedField("name", .text(attribute.name)), InspectedField("type", .text(TypeText.text(attribute))),
            InspectedField("optional", .boolean(attribute.isOptional)),
        ]
        let remarks = TypeText.remarks(attribute)
        if !remarks.isEmpty { fields.append(InspectedField("remarks", .texts(remarks))) }
        if let values = attribute.defaultValue, attribute.type != .composite, let value = values.first, !value.isNull {
            fields.append(InspectedField("default", defaultValue(value, attribute)))
        }
        if !attribute.elements.isEmpty {
            fields.append(InspectedField("elements", .list(attribute.elements.map(Self.attribute))))
        }
        return .fields(fields)
    }

    package static func defaultValue(_ value: Value, _ attribute: Attribute) -> InspectedValue {
        switch value {
        case .integer(let number): attribute.type == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): attribute.type == .date ? .optional(DateText.exact(number)) : .real(number)
        case .text(let text): .text(text)
        case .uuid(let uuid): .text(uuid.uuidString)
        case .decimal(let number): .text("\(number)")
        case .bytes(let data): .text("(\(Amounts.bytes(Int64(data.count))))")
        case .null, .reference: .none
        }
    }

    private static func relationship(_ relationship: Relationship) -> InspectedValue {
        .fields([
            InspectedField("name", .text(relationship.name)),
            InspectedField("destination", .text(relationship.destinationName)),
            InspectedField("kind", .text(TypeText.cardinality(relationship))),
            InspectedField("inverse", .optional(relationship.inverseName)),
            InspectedField("deleteRule", .text(TypeText.text(relationship.deleteRule))),
            InspectedField("optional", .boolean(relationship.isOptional)),
        ])
    }
}

extension ModelOutline {
    /// The indentation of an entity's name in the list of `sorted` ones, which shows its superentity.
    package static func indentation(of entity: Entity, in model: Model) -> String {
        var depth = 0
        var current = entity.superentityIndex
        while let index = current {
            depth += 1
            current = model[index].superentityIndex
        }
        return depth == 0 ? "" : String(repeating: "  ", count: depth - 1) + "└ "
    }
}
