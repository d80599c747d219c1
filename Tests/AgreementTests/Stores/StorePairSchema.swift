import ObjectGraph
import TestSupport

/// A random model with delete rules, lists, inheritance, and constraints of one or several properties.
struct StorePairSchema {
    let model: Model

    init(_ random: inout SeededGenerator) throws {
        var entities = try DeleteSchema(&random, leastCounts: random.chance(30)).model.descriptions
        for index in entities.indices where random.chance(35) {
            let names = entities[index].attributes.map(\.name)
            let toOne = entities[index].relationships.filter { $0.cardinality == .toOne }.map(\.name)
            entities[index].uniquenessConstraints =
                switch random.roll(4) {
                case 0: [names]
                case 1 where !toOne.isEmpty: [toOne]
                default: [[names[0]]]
                }
        }
        model = try Model(entities)
    }
}

extension StorePairSchema: CustomStringConvertible {
    var description: String {
        model.entities.map { entity in
            let parent = entity.superentityIndex.map { ": \(model[$0].name)" } ?? ""
            let own = entity.relationships.filter { $0.declaringIndex == entity.index }.map(\.relationship).map {
                "\($0.name) \($0.isOptional ? "" : "required ")\($0.isOrdered ? "ordered " : "")\($0.cardinality) "
                    + "\($0.destinationName)<-\($0.inverseName ?? "none") \($0.deleteRule)"
            }
            return "\(entity.name)\(parent) unique \(entity.uniquenessConstraints) { \(own.joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }
}
