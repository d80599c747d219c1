/// A frozen data model: entities with their places resolved. Each face, and the cache in a file, compiles to one.
package final class Model: Sendable {
    /// In the order given.
    package let entities: [Entity]
    package let descriptions: [EntityDescription]
    package let versionIdentifiers: [String]
    /// Whether there is a derived attribute.
    let derivesValues: Bool
    private let indexesByName: [String: Int]
    private let knownHashes = Locked<[String: VersionHash]?>(nil)

    /// - Throws: `ModelError` for the first entity or property that cannot be.
    package init(_ descriptions: [EntityDescription], versionIdentifiers: [String] = []) throws {
        self.descriptions = descriptions
        self.versionIdentifiers = versionIdentifiers
        let resolver = try ModelResolver(descriptions)
        entities = try descriptions.indices.map { try resolver.entity(at: $0) }
        derivesValues = entities.contains { !$0.derivedSlots.isEmpty }
        indexesByName = resolver.indexesByName
    }

    /// A model without entities.
    package init() {
        entities = []
        descriptions = []
        versionIdentifiers = []
        derivesValues = false
        indexesByName = [:]
    }

    package subscript(index: Int) -> Entity { entities[index] }

    package func entity(named name: String) -> Entity? {
        indexesByName[name].map { entities[$0] }
    }

    /// Hash of every entity, by name; made when it is first asked for.
    package var versionHashes: [String: VersionHash] {
        knownHashes.withLock { known in
            let hashes = known ?? hashEntities()
            known = hashes
            return hashes
        }
    }

    package func destination(of relationship: EntityRelationship) -> Entity {
        entities[relationship.destinationIndex]
    }

    /// The relationship back, as the destination entity has it.
    package func inverse(of relationship: EntityRelationship) -> EntityRelationship? {
        relationship.inverseIndex.map { destination(of: relationship).relationships[$0] }
    }

    /// Whether the relationship back is the relationship itself.
    package func isOwnInverse(_ relationship: EntityRelationship) -> Bool {
        guard let inverse = inverse(of: relationship) else { return false }
        return inverse.declaringIndex == relationship.declaringIndex && inverse.name == relationship.name
    }

    package func isKind(_ entityIndex: Int, of ancestorIndex: Int) -> Bool {
        var current: Int? = entityIndex
        while let index = current {
            if index == ancestorIndex { return true }
            current = entities[index].superentityIndex
        }
        return false
    }
}

/// A model that cannot be.
package enum ModelError: Error, Hashable {
    case duplicateEntity(String)
    case unknownSuperentity(entity: String, superentity: String)
    case inheritanceCycle(entity: String)
    case duplicateProperty(entity: String, property: String)
    case unknownDestination(entity: String, relationship: String, destination: String)
    case unknownInverse(entity: String, relationship: String, inverse: String)
    case inverseMismatch(entity: String, relationship: String, inverse: String)
    case unknownConstraintProperty(entity: String, property: String)
    case unknownIndexProperty(entity: String, property: String)
    /// A to-many relationship, a transient attribute, or a part that no column has.
    case unsuitableConstraintProperty(entity: String, property: String)
}

extension ModelError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .duplicateEntity(let name):
            "Two entities are named '\(name)'; give one of them another name."
        case .unknownSuperentity(let entity, let superentity):
            "Entity '\(entity)' inherits from '\(superentity)', which is not in the model; add it."
        case .inheritanceCycle(let entity):
            "Entity '\(entity)' inherits from itself."
        case .duplicateProperty(let entity, let property):
            "Entity '\(entity)' has two properties named '\(property)'; rename one."
        case .unknownDestination(let entity, let relationship, let destination):
            "Relationship '\(entity).\(relationship)' leads to '\(destination)', which is not in the model; add it."
        case .unknownInverse(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which its destination lacks."
        case .inverseMismatch(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' and its inverse '\(inverse)' do not lead to each other."
        case .unknownConstraintProperty(let entity, let property):
            "Entity '\(entity)' has a uniqueness constraint on '\(property)', which it lacks."
        case .unknownIndexProperty(let entity, let property):
            "Entity '\(entity)' has an index on '\(property)', which it lacks."
        case .unsuitableConstraintProperty(let entity, let property):
            "Entity '\(entity)' has a uniqueness constraint on '\(property)', which no column holds; name stored attributes "
                + "and to-one relationships only."
        }
    }
}
