import ObjectGraph
import TestSupport

/// Gives the entities of a random model derived attributes of every applicable kind.
struct RandomDerivations {
    private(set) var descriptions: [EntityDescription]
    private var number = 0

    init(_ descriptions: [EntityDescription], _ random: inout SeededGenerator) {
        self.descriptions = descriptions
        for index in descriptions.indices {
            for _ in 0..<4 { add(to: index, &random) }
        }
    }

    /// Entities whose objects have an integer attribute each.
    static func numbered(_ random: inout SeededGenerator) -> [EntityDescription] {
        RandomStore.descriptions(&random).map { plain in
            var description = plain
            description.attributes.append(Attribute("small\(plain.name)", .integer16, optional: true))
            return description
        }
    }

    static func model(_ random: inout SeededGenerator) throws -> Model {
        try Model(RandomDerivations(numbered(&random), &random).descriptions)
    }

    /// The entity and its superentities.
    private func lineage(_ name: String) -> [EntityDescription] {
        guard let found = descriptions.first(where: { $0.name == name }) else { return [] }
        return [found] + (found.superentityName.map(lineage) ?? [])
    }

    private mutating func add(to index: Int, _ random: inout SeededGenerator) {
        var (entity, path, crossesToMany) = (descriptions[index].name, [String](), false)
        for _ in 0..<random.roll(4) {
            guard let hop = random.pick(lineage(entity).flatMap(\.relationships)) else { break }
            path.append(hop.name)
            entity = hop.destinationName
            crossesToMany = crossesToMany || hop.cardinality == .toMany
        }
        let attributes = lineage(entity).flatMap(\.attributes)
        guard
            var attribute = crossesToMany
                ? aggregate(path, attributes, &random) : single(path, attributes, &random)
        else { return }
        attribute.isOptional = true
        descriptions[index].attributes.append(attribute)
    }

    private mutating func named(_ type: AttributeType, _ text: String) -> Attribute {
        number += 1
        var attribute = Attribute("derived\(number)", type)
        attribute.derivation = text
        return attribute
    }

    private mutating func aggregate(
        _ path: [String], _ attributes: [Attribute], _ random: inout SeededGenerator
    ) -> Attribute? {
        let path = path.joined(separator: ".")
        if random.chance(50) { return named(.integer64, random.chance(50) ? "count:(\(path))" : "\(path).@count") }
        let numbers = attributes.filter { $0.type == .integer16 || $0.type == .integer64 || $0.type == .double }
        guard let source = random.pick(numbers) else { return nil }
        let text = random.pick(
            ["\(path).@sum.\(source.name)", "\(path).\(source.name).@sum", "sum:(\(path).\(source.name))"])
        return named(source.type == .double ? .double : .integer64, text ?? "")
    }

    private mutating func single(
        _ path: [String], _ attributes: [Attribute], _ random: inout SeededGenerator
    ) -> Attribute? {
        guard let source = random.pick(attributes.filter { $0.type != .binary }) else { return nil }
        let text = (path + [source.name]).joined(separator: ".")
        guard source.type == .string, let function = random.pick(["", "canonical:", "uppercase:", "lowercase:"]),
            !function.isEmpty
        else { return named(source.type, text) }
        return named(.string, "\(function)(\(text))")
    }
}
