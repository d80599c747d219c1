/// An immutable data model with resolved references between entities. Compiled from the schema of a face, or from the
/// cache in a file.
///
/// A restricted model has some of another model's entities, with the indexes that they have in that model.
package final class Model: Sendable {
    /// In the order of their indexes, which are their positions unless the model is restricted.
    package let entities: [Entity]
    /// By index. In a restricted model, including those of the whole model that it lacks.
    private let all: [Entity]
    /// The position in `entities` by index, −1 for entities that the model lacks; `nil` unless it is restricted.
    let positions: [Int]?
    /// The same entities with contiguous indexes, as in models of files; `nil` if they have those already.
    private let compact: Model?
    package let descriptions: [EntityDescription]
    package let versionIdentifiers: [String]
    /// Whether any attribute is derived.
    let derivesValues: Bool
    private let indexesByName: [String: Int]
    private let knownHashes = Locked<[String: VersionHash]?>(nil)

    /// - Throws: `ModelError` for the first invalid entity or property.
    package init(_ descriptions: [EntityDescription], versionIdentifiers: [String] = []) throws {
        self.descriptions = descriptions
        self.versionIdentifiers = versionIdentifiers
        let resolver = try ModelResolver(descriptions)
        entities = try descriptions.indices.map { try resolver.entity(at: $0) }
        all = entities
        positions = nil
        compact = nil
        derivesValues = entities.contains { !$0.derivedSlots.isEmpty }
        indexesByName = resolver.indexesByName
    }

    /// - Parameter compact: A model of some of the whole model's entities, in the same order.
    init(_ compact: Model, partOf whole: Model) throws {
        descriptions = compact.descriptions
        versionIdentifiers = compact.versionIdentifiers
        let places = descriptions.compactMap { whole.entity(named: $0.name)?.index }
        let resolver = try ModelResolver(descriptions, indexes: places)
        entities = try descriptions.indices.map { try resolver.entity(at: $0) }
        var all = whole.all
        var positions = Array(repeating: -1, count: all.count)
        for (position, entity) in entities.enumerated() {
            all[entity.index] = entity
            positions[entity.index] = position
        }
        self.all = all
        self.positions = positions
        self.compact = compact
        derivesValues = compact.derivesValues
        indexesByName = resolver.indexesByName.mapValues { places[$0] }
    }

    /// Creates a model without entities.
    package init() {
        all = []
        positions = nil
        compact = nil
        entities = []
        descriptions = []
        versionIdentifiers = []
        derivesValues = false
        indexesByName = [:]
    }

    /// - Parameter index: For a restricted model, any index of the whole one.
    package subscript(index: Int) -> Entity { all[index] }

    /// Returns the entity; `nil` if the model lacks the index. For indexes from outside the program.
    package func entity(at index: Int) -> Entity? { has(index) ? all[index] : nil }

    package func entity(named name: String) -> Entity? {
        indexesByName[name].map { all[$0] }
    }

    /// Whether the model has an entity with the index.
    package func has(_ index: Int) -> Bool {
        guard all.indices.contains(index) else { return false }
        return positions.map { $0[index] >= 0 } ?? true
    }

    /// An index above all entity indexes.
    package var indexLimit: Int { all.count }

    /// The same entities with contiguous indexes, for comparisons with models of files.
    package var numberedWithoutGaps: Model { compact ?? self }

    /// The hash of every entity, by name; computed at the first use.
    package var versionHashes: [String: VersionHash] {
        knownHashes.withLock { known in
            let hashes = known ?? hashEntities()
            known = hashes
            return hashes
        }
    }

    /// The indexes of root entities by name without case, each followed by those of its subentities in the same order.
    package var indexesInNameOrder: [Int] {
        func family(_ siblings: [Entity]) -> [Int] {
            siblings.sorted(by: Self.precedes).flatMap { entity in
                [entity.index] + family(entity.subentityIndexes.map { all[$0] })
            }
        }
        return family(entities.filter(\.isRoot))
    }

    private static func precedes(_ left: Entity, _ right: Entity) -> Bool {
        let (foldedLeft, foldedRight) = (left.name.lowercased(), right.name.lowercased())
        return foldedLeft == foldedRight
            ? left.name.precedesByBytes(right.name) : foldedLeft.precedesByBytes(foldedRight)
    }

    package func destination(of relationship: EntityRelationship) -> Entity {
        all[relationship.destinationIndex]
    }

    /// Returns the inverse in the destination entity.
    package func inverse(of relationship: EntityRelationship) -> EntityRelationship? {
        relationship.inverseIndex.map { destination(of: relationship).relationships[$0] }
    }

    /// Whether the relationship is its own inverse.
    package func isOwnInverse(_ relationship: EntityRelationship) -> Bool {
        guard let inverse = inverse(of: relationship) else { return false }
        return inverse.declaringIndex == relationship.declaringIndex && inverse.name == relationship.name
    }

    package func isKind(_ entityIndex: Int, of ancestorIndex: Int) -> Bool {
        var current: Int? = entityIndex
        while let index = current {
            if index == ancestorIndex { return true }
            current = all[index].superentityIndex
        }
        return false
    }
}

/// An invalid model.
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
    /// A to-many relationship, a transient attribute, or a part without a column.
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
            "Relationship '\(entity).\(relationship)' has the destination '\(destination)', which is not in the model; add it."
        case .unknownInverse(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which its destination lacks."
        case .inverseMismatch(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' and '\(inverse)' are not inverses of each other."
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

extension Model {
    /// Returns the to-one relationships of an entity whose inverse is also to-one, by slot.
    package func oneToOneRelationships(of entity: Entity) -> [Int: EntityRelationship] {
        entity.toOneRelationships.reduce(into: [:]) { found, relationship in
            guard let slot = relationship.slot, inverse(of: relationship)?.isToOne == true else { return }
            found[slot] = relationship
        }
    }
}
