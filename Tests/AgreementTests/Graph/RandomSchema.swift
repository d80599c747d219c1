import ObjectGraph
import TestSupport

/// A random model: delete rules × cardinalities × optionality × counts × order, over entities that inherit from and refer to each
/// other, and to themselves.
struct RandomSchema {
    let model: Model

    init(_ random: inout SeededGenerator) throws {
        let rootCount = 2 + random.roll(3)
        var entities = (0..<rootCount).map { Self.entity("E\($0)", nil) }
        for number in 0..<random.roll(3) {
            let parent = random.roll(entities.count)
            entities.append(Self.entity("S\(number)", entities[parent].name))
        }
        for number in 0..<(2 + random.roll(4)) { Self.addLink(number, to: &entities, &random) }
        Self.addCounts(to: &entities, &random)
        model = try Model(entities)
    }

    private static func entity(_ name: String, _ superentity: String?) -> EntityDescription {
        var description = EntityDescription(name, superentity: superentity)
        description.attributes = [Attribute("number\(name)", .integer64, optional: true)]
        return description
    }

    private static func rule(_ random: inout SeededGenerator) -> DeleteRule {
        // Twice as often as the others: the two rules that change rows.
        random.pick([.nullify, .nullify, .cascade, .cascade, .deny, .noAction]) ?? .nullify
    }

    private static func addLink(_ number: Int, to entities: inout [EntityDescription], _ random: inout SeededGenerator)
    {
        let (a, b) = (random.roll(entities.count), random.chance(25) ? nil : random.roll(entities.count))
        let destination = b ?? a
        let (first, second) = ("r\(number)", "r\(number)back")
        let cardinalities: (Cardinality, Cardinality) =
            random.pick([(.toOne, .toOne), (.toOne, .toMany), (.toOne, .toMany), (.toMany, .toMany)])
            ?? (.toOne, .toMany)
        switch random.roll(8) {
        case 0:
            // Without inverse.
            let relationship = Relationship(
                first, to: entities[destination].name, random.chance(50) ? .toOne : .toMany,
                deleteRule: rule(&random))
            entities[a].relationships.append(relationship)
        case 1:
            // Its own inverse.
            let relationship = Relationship(
                first, to: entities[a].name, random.chance(50) ? .toOne : .toMany, inverse: first,
                deleteRule: rule(&random))
            entities[a].relationships.append(relationship)
        default:
            var one = Relationship(
                first, to: entities[destination].name, cardinalities.0, inverse: second, deleteRule: rule(&random))
            var other = Relationship(
                second, to: entities[a].name, cardinalities.1, inverse: first, deleteRule: rule(&random))
            if cardinalities.0 == .toOne, cardinalities.1 == .toMany { one.isOptional = !random.chance(15) }
            if cardinalities.1 == .toMany { other.isOrdered = random.chance(35) }
            entities[a].relationships.append(one)
            entities[destination].relationships.append(other)
        }
    }

    /// Lists with a minimum or maximum number of members. Not if members leave without the list's knowledge: the other end takes no
    /// action, or there is none.
    private static func addCounts(to entities: inout [EntityDescription], _ random: inout SeededGenerator) {
        let inert = entities.flatMap(\.relationships).filter { $0.deleteRule == .noAction }.compactMap(\.inverseName)
        for entity in entities.indices {
            for place in entities[entity].relationships.indices {
                var list = entities[entity].relationships[place]
                guard list.cardinality == .toMany, list.inverseName != nil, !inert.contains(list.name),
                    random.chance(30)
                else { continue }
                list.minimumCount = random.roll(3)
                if list.minimumCount == 0 || random.chance(50) {
                    list.maximumCount = max(1, list.minimumCount) + random.roll(3)
                }
                list.isOptional = list.minimumCount == 0 || random.chance(75)
                entities[entity].relationships[place] = list
            }
        }
    }
}

extension RandomSchema: CustomStringConvertible {
    var description: String {
        model.entities.map { entity in
            let parent = entity.superentityIndex.map { ": \(model[$0].name)" } ?? ""
            let own = entity.relationships.filter { $0.declaringIndex == entity.index }.map(\.relationship).map {
                "\($0.name) \($0.isOptional ? "" : "required ")\($0.isOrdered ? "ordered " : "")\($0.cardinality) "
                    + ($0.minimumCount > 0 ? "from \($0.minimumCount) " : "")
                    + ($0.maximumCount > 0 ? "to \($0.maximumCount) " : "")
                    + "\($0.destinationName)<-\($0.inverseName ?? "none") \($0.deleteRule)"
            }
            return "\(entity.name)\(parent) { \(own.joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }
}
