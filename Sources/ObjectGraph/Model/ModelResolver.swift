/// Turns descriptions into entities: resolves names, assigns slots, and refuses invalid descriptions.
struct ModelResolver {
    let descriptions: [EntityDescription]
    /// Positions in `descriptions`.
    let indexesByName: [String: Int]
    private let subentities: [[Int]]
    /// The indexes of the entities, by position; `nil` if they are the positions.
    private let indexes: [Int]?

    init(_ descriptions: [EntityDescription], indexes: [Int]? = nil) throws {
        self.descriptions = descriptions
        self.indexes = indexes
        var indexesByName: [String: Int] = [:]
        for (index, description) in descriptions.enumerated() {
            guard indexesByName.updateValue(index, forKey: description.name) == nil else {
                throw ModelError.duplicateEntity(description.name)
            }
        }
        self.indexesByName = indexesByName
        var subentities: [[Int]] = Array(repeating: [], count: descriptions.count)
        for (index, description) in descriptions.enumerated() {
            guard let name = description.superentityName else { continue }
            guard let parent = indexesByName[name] else {
                throw ModelError.unknownSuperentity(entity: description.name, superentity: name)
            }
            subentities[parent].append(index)
        }
        self.subentities = subentities
        for index in descriptions.indices { _ = try lineage(of: index) }
    }

    /// Returns the entities from the root entity to the entity itself.
    private func lineage(of index: Int) throws -> [Int] {
        var line = [index]
        var current = descriptions[index].superentityName
        while let name = current, let parent = indexesByName[name] {
            guard !line.contains(parent) else {
                throw ModelError.inheritanceCycle(entity: descriptions[index].name)
            }
            line.append(parent)
            current = descriptions[parent].superentityName
        }
        return line.reversed()
    }

    private func family(of index: Int) -> [Int] {
        [index] + subentities[index].flatMap(family)
    }

    private func index(_ position: Int) -> Int { indexes.map { $0[position] } ?? position }

    func entity(at position: Int) throws -> Entity {
        let description = descriptions[position]
        let line = try lineage(of: position)
        var layout = EntityLayout()
        for ancestor in line {
            for attribute in descriptions[ancestor].attributes {
                try layout.claim(attribute.name, entity: description.name)
                layout.add(attribute, declaringIndex: index(ancestor))
            }
            for relationship in descriptions[ancestor].relationships {
                try layout.claim(relationship.name, entity: description.name)
                let ends = try self.ends(of: relationship, declaringIndex: ancestor)
                layout.add(
                    relationship, declaringIndex: index(ancestor), destination: index(ends.destination),
                    inverse: ends.inverse)
            }
        }
        try layout.check(description)
        return Entity(
            description: description, index: index(position),
            superentityIndex: description.superentityName.flatMap { indexesByName[$0] }.map(index),
            rootIndex: index(line.first ?? position), subentityIndexes: subentities[position].map(index),
            familyIndexes: family(of: position).map(index),
            attributes: layout.attributes, relationships: layout.relationships, slots: layout.slots,
            toManyCount: layout.toManyCount)
    }

    private func ends(
        of relationship: Relationship, declaringIndex: Int
    ) throws -> (destination: Int, inverse: (relationship: Relationship, index: Int)?) {
        let entityName = descriptions[declaringIndex].name
        guard let destination = indexesByName[relationship.destinationName] else {
            throw ModelError.unknownDestination(
                entity: entityName, relationship: relationship.name, destination: relationship.destinationName)
        }
        guard let inverseName = relationship.inverseName else { return (destination, nil) }
        let candidates = try lineage(of: destination).flatMap { descriptions[$0].relationships }
        guard let inverse = candidates.firstIndex(where: { $0.name == inverseName }) else {
            throw ModelError.unknownInverse(
                entity: entityName, relationship: relationship.name, inverse: inverseName)
        }
        guard candidates[inverse].inverseName == relationship.name else {
            throw ModelError.inverseMismatch(
                entity: entityName, relationship: relationship.name, inverse: inverseName)
        }
        return (destination, (candidates[inverse], inverse))
    }
}

/// The slots and counts of one entity, collected from its ancestors.
private struct EntityLayout {
    var attributes: [EntityAttribute] = []
    var relationships: [EntityRelationship] = []
    var slots: [Slot] = []
    var toManyCount = 0
    private var names: Set<String> = []

    mutating func claim(_ name: String, entity: String) throws {
        guard names.insert(name).inserted else {
            throw ModelError.duplicateProperty(entity: entity, property: name)
        }
    }

    mutating func add(_ attribute: Attribute, declaringIndex: Int) {
        let first = slots.count
        for leaf in attribute.leaves {
            slots.append(.attribute(attributeIndex: attributes.count, leaf: leaf))
        }
        attributes.append(
            EntityAttribute(attribute: attribute, declaringIndex: declaringIndex, slots: first..<slots.count))
    }

    mutating func add(
        _ relationship: Relationship, declaringIndex: Int, destination: Int,
        inverse: (relationship: Relationship, index: Int)?
    ) {
        var slot: Int?
        var toManyIndex: Int?
        switch relationship.cardinality {
        case .toOne:
            slot = slots.count
            slots.append(.toOne(relationshipIndex: relationships.count))
        case .toMany:
            toManyIndex = toManyCount
            toManyCount += 1
        }
        relationships.append(
            EntityRelationship(
                relationship: relationship, index: relationships.count, declaringIndex: declaringIndex,
                destinationIndex: destination, inverse: inverse, slot: slot, toManyIndex: toManyIndex))
    }

    func check(_ description: EntityDescription) throws {
        for path in description.uniquenessConstraints.joined() where !hasProperty(at: path) {
            throw ModelError.unknownConstraintProperty(entity: description.name, property: path)
        }
        for path in description.indexes.flatMap(\.propertyNames) where !hasProperty(at: path) {
            throw ModelError.unknownIndexProperty(entity: description.name, property: path)
        }
    }

    /// A path may continue to parts of a composite.
    private func hasProperty(at path: String) -> Bool {
        names.contains(path.split(separator: ".").first.map(String.init) ?? path)
    }
}
