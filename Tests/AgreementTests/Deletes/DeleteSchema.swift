import ObjectGraph
import TestSupport

/// A random model for deletes: rules × cardinalities × mandatory ends × minimum counts × order, over entities that inherit from
/// each other, refer to each other and to themselves, with and without inverse.
struct DeleteSchema {
    let model: Model

    init(_ random: inout SeededGenerator, leastCounts: Bool = true) throws {
        var entities = (0..<2 + random.roll(3)).map { Self.entity("E\($0)", nil, &random) }
        for number in 0..<random.roll(3) {
            let parent = random.roll(entities.count)
            entities.append(Self.entity("S\(number)", entities[parent].name, &random))
        }
        for number in 0..<2 + random.roll(5) { Self.addLink("r\(number)", to: &entities, &random) }
        if leastCounts { Self.addLeastCounts(&entities, &random) }
        model = try Model(entities)
    }

    private static func entity(
        _ name: String, _ superentity: String?, _ random: inout SeededGenerator
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        var label = Attribute("label\(name)", .string, optional: true)
        label.preservesValueOnDeletion = random.chance(50)
        description.attributes = [Attribute("number\(name)", .integer64, optional: true), label]
        return description
    }

    private static func rule(_ random: inout SeededGenerator) -> DeleteRule {
        // More often than the others: the two rules that change rows.
        random.pick([.nullify, .nullify, .nullify, .cascade, .cascade, .deny, .noAction]) ?? .nullify
    }

    private static func end(
        _ name: String, to destination: String, _ cardinality: Cardinality, inverse: String?,
        _ random: inout SeededGenerator
    ) -> Relationship {
        var end = Relationship(name, to: destination, cardinality, inverse: inverse, deleteRule: rule(&random))
        if cardinality == .toOne, inverse != nil { end.isOptional = !random.chance(20) }
        if cardinality == .toMany { end.isOrdered = random.chance(35) }
        return end
    }

    private static func addLink(_ name: String, to entities: inout [EntityDescription], _ random: inout SeededGenerator)
    {
        let a = random.roll(entities.count)
        let b = random.chance(25) ? a : random.roll(entities.count)
        let (first, second) = (entities[a].name, entities[b].name)
        let cardinalities: (Cardinality, Cardinality) =
            random.pick([(.toOne, .toOne), (.toOne, .toMany), (.toOne, .toMany), (.toMany, .toMany)])
            ?? (.toOne, .toMany)
        switch random.roll(8) {
        case 0:
            entities[a].relationships.append(end(name, to: second, cardinalities.1, inverse: nil, &random))
        case 1:
            var own = end(name, to: first, cardinalities.0, inverse: name, &random)
            own.isOptional = true
            entities[a].relationships.append(own)
        default:
            // Ends of separate hierarchies may have the same name.
            let isSameName = random.chance(35) && root(of: a, entities) != root(of: b, entities)
            let back = isSameName ? name : "\(name)back"
            entities[a].relationships.append(end(name, to: second, cardinalities.0, inverse: back, &random))
            entities[b].relationships.append(end(back, to: first, cardinalities.1, inverse: name, &random))
        }
    }

    private static func root(of place: Int, _ entities: [EntityDescription]) -> String {
        var entity = entities[place]
        while let parent = entities.first(where: { $0.name == entity.superentityName }) { entity = parent }
        return entity.name
    }

    private static func addLeastCounts(_ entities: inout [EntityDescription], _ random: inout SeededGenerator) {
        // If the other end takes no action, objects stay in lists that their rows have left.
        let inert = entities.flatMap(\.relationships).filter { $0.deleteRule == .noAction }.compactMap(\.inverseName)
        for entity in entities.indices {
            for place in entities[entity].relationships.indices
            where entities[entity].relationships[place].cardinality == .toMany && random.chance(20) {
                if inert.contains(entities[entity].relationships[place].name) { continue }
                entities[entity].relationships[place].minimumCount = 1 + random.roll(2)
                entities[entity].relationships[place].isOptional = random.chance(50)
            }
        }
    }
}

extension DeleteSchema: CustomStringConvertible {
    var description: String {
        model.entities.map { entity in
            let parent = entity.superentityIndex.map { ": \(model[$0].name)" } ?? ""
            let own = entity.relationships.filter { $0.declaringIndex == entity.index }.map(\.relationship).map {
                "\($0.name) \($0.isOptional ? "" : "required ")\($0.isOrdered ? "ordered " : "")\($0.cardinality) "
                    + ($0.minimumCount > 0 ? "from \($0.minimumCount) " : "")
                    + "\($0.destinationName)<-\($0.inverseName ?? "none") \($0.deleteRule)"
            }
            return "\(entity.name)\(parent) { \(own.joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }
}
