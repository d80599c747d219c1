import ObjectGraph

/// Parses a property, or a key path through to-one relationships (`author.name`), into an expression. `items.@count`
/// counts members.
package enum PropertyPath {
    /// - Throws: `InspectionError.unknownProperty`, `.unsuitableProperty`.
    package static func expression(_ path: String, on entity: Entity, in model: Model) throws -> QueryExpression {
        var object = QueryExpression.variable(.root)
        var entity = entity
        var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        while let name = parts.popFirst() {
            if let relationship = entity.relationship(named: name) {
                let reference = RelationshipReference(
                    entityIndex: entity.index, index: relationship.index, name: relationship.name)
                if relationship.isToOne, !parts.isEmpty {
                    object = .toOne(object, reference)
                    entity = model.destination(of: relationship)
                    continue
                }
                if !relationship.isToOne, parts == ["@count"] { return .count(.toMany(object, reference)) }
                throw InspectionError.unsuitableProperty(
                    entity: entity.name, property: name,
                    reason: relationship.isToOne
                        ? "it references an object; name one of its attributes, as in \(name).name."
                        : "it references many objects; their number is \(name).@count.")
            }
            guard let attribute = entity.attribute(named: name) else {
                throw InspectionError.unknownProperty(entity: entity.name, property: name, known: entity.propertyNames)
            }
            return try leaf(attribute, Array(parts), of: object, entity)
        }
        throw InspectionError.unknownProperty(entity: entity.name, property: path, known: entity.propertyNames)
    }

    private static func leaf(
        _ attribute: EntityAttribute, _ rest: [String], of object: QueryExpression, _ entity: Entity
    ) throws -> QueryExpression {
        guard attribute.attribute.type == .composite else {
            guard rest.isEmpty else {
                throw InspectionError.unsuitableProperty(
                    entity: entity.name, property: attribute.name, reason: "it is a value and has no properties.")
            }
            return .attribute(
                object,
                AttributeReference(entityIndex: entity.index, slot: attribute.slots.lowerBound, path: attribute.name))
        }
        let leaves = attribute.attribute.leaves
        let wanted = rest.isEmpty && leaves.count == 1 ? leaves.first?.name : rest.joined(separator: ".")
        guard let place = leaves.firstIndex(where: { $0.name == wanted }) else {
            throw InspectionError.unknownProperty(
                entity: "\(entity.name).\(attribute.name)", property: rest.joined(separator: "."),
                known: leaves.map(\.name))
        }
        return .attribute(
            object,
            AttributeReference(
                entityIndex: entity.index, slot: attribute.slots.lowerBound + place,
                path: "\(attribute.name).\(leaves[place].name)"))
    }

    /// Parses sort keys such as `name,-age` or `name, age desc`; a minus means descending order.
    /// - Throws: errors of `expression(_:on:in:)`, and `InspectionError.badInput` for an unknown direction.
    package static func sortKeys(_ text: String, on entity: Entity, in model: Model) throws -> [SortKey] {
        try text.split(separator: ",").map { part in
            let words = part.split(separator: " ").map(String.init)
            let path = words.first ?? ""
            let sign = path.first.flatMap { "+-".contains($0) ? $0 : nil }
            return SortKey(
                try expression(String(sign == nil ? path[...] : path.dropFirst()), on: entity, in: model),
                ascending: try isAscending(sign, words.dropFirst().map { $0.lowercased() }, in: String(part)))
        }
    }

    private static func isAscending(_ sign: Character?, _ words: [String], in part: String) throws -> Bool {
        switch (sign, words) {
        case (nil, []), ("+", []), (nil, ["asc"]): true
        case ("-", []), (nil, ["desc"]): false
        default:
            throw InspectionError.badInput(
                "The order '\(part)' cannot be read; write name for ascending, and -name or name desc for descending.")
        }
    }
}
