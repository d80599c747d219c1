/// Finds the inverse of each relationship.
///
/// 1. An `inverse:` written on one side holds for both.
/// 2. Otherwise two relationships to each other's entity are inverses if they are the only such pair between the two
///    entities, neither has an inverse, neither was declared one-way with `inverse: nil`, and they are a to-many with an
///    optional to-one or two optional to-ones.
/// 3. All others (many-to-many, ends that are not optional, several possible pairs) are one-way.
struct InverseInference {
    let entities: [Schema.Entity]
    /// The model classes of the entities, at the same positions, or none.
    let modelTypes: [ModelType]
    private(set) var problems: [SchemaError] = []
    private let positions: [String: Int]

    init(entities: [Schema.Entity], modelTypes: [ModelType]) {
        self.entities = entities
        self.modelTypes = modelTypes
        positions = Dictionary(entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    mutating func resolve() {
        for entity in entities {
            for relationship in entity.ownRelationships { takeWritten(relationship, of: entity) }
        }
        for (index, entity) in entities.enumerated() {
            for other in entities[index...] { infer(between: entity, and: other) }
        }
    }

    private mutating func takeWritten(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        guard relationship.inverseKeyPath != nil || relationship.inverseName != nil,
            let position = positions[relationship.destination]
        else { return }
        guard let name = writtenName(of: relationship, destination: position) else {
            problems.append(
                .unknownKeyPath(entity: entity.name, declaration: "The inverse of '\(relationship.name)'"))
            return
        }
        guard let inverse = entities[position].relationshipsByName[name] else {
            problems.append(
                .inverseIsNoRelationship(entity: entity.name, relationship: relationship.name, inverse: name))
            return
        }
        guard let back = positions[inverse.destination], entities[back].isKind(of: entity) else {
            problems.append(
                .inverseHasOtherDestination(
                    entity: entity.name, relationship: relationship.name, inverse: name,
                    destination: inverse.destination))
            return
        }
        if let owner = inverse.inverseName, owner != relationship.name {
            problems.append(
                .inverseAlreadyUsed(
                    entity: entity.name, relationship: relationship.name, inverse: name, owner: owner))
            return
        }
        Self.join(relationship, inverse)
    }

    private func writtenName(of relationship: Schema.Relationship, destination: Int) -> String? {
        guard let keyPath = relationship.inverseKeyPath, modelTypes.indices.contains(destination) else {
            return relationship.inverseName
        }
        return modelTypes[destination].propertyName(of: keyPath)
    }

    private func infer(between entity: Schema.Entity, and other: Schema.Entity) {
        let there = open(in: entity, to: other)
        let back = open(in: other, to: entity)
        var pairs: [(Schema.Relationship, Schema.Relationship)] = []
        for (index, relationship) in there.enumerated() {
            let candidates = entity === other ? back.dropFirst(index + 1) : back[...]
            for candidate in candidates where Self.fit(relationship, candidate) {
                pairs.append((relationship, candidate))
            }
        }
        guard pairs.count == 1, let (first, second) = pairs.first else { return }
        Self.join(first, second)
    }

    private func open(in entity: Schema.Entity, to other: Schema.Entity) -> [Schema.Relationship] {
        entity.ownRelationships.filter {
            $0.destination == other.name && $0.inverseName == nil && $0.inverseKeyPath == nil && !$0.isOneWay
        }
    }

    private static func fit(_ first: Schema.Relationship, _ second: Schema.Relationship) -> Bool {
        switch (first.isToOneRelationship, second.isToOneRelationship) {
        case (true, true): first.isOptional && second.isOptional
        case (true, false): first.isOptional
        case (false, true): second.isOptional
        case (false, false): false
        }
    }

    private static func join(_ first: Schema.Relationship, _ second: Schema.Relationship) {
        first.inverseName = second.name
        second.inverseName = first.name
        first.inverseKeyPath = first.inverseKeyPath ?? second.keypath
        second.inverseKeyPath = second.inverseKeyPath ?? first.keypath
    }
}
