/// The mapping of the rows of one model to another, inferred by comparing the two models: a lightweight migration.
///
/// 1. An entity or property corresponds to the one that its renaming identifier names, otherwise to the one with its
///    name.
/// 2. Properties are compared including inherited ones, so that they may move within a hierarchy.
/// 3. Changes that require a decision that the models do not contain are refused, with the entity and the property. If
///    the program may have emptied tables before, missing values are refused only for entities with rows.
package struct InferredMapping: Sendable {
    package let source: Model
    package let destination: Model
    /// By index of the destination's entities; `nil` for new ones.
    package let entities: [EntityMapping?]
    /// By index of the source's entities: their destination entities; `nil` for entities that are removed with their
    /// rows.
    package let successors: [Int?]
    /// Properties for which rows would have no value; refused unless there are no rows.
    package let unfilled: [UnfilledProperty]

    /// The handling of mandatory properties for which rows would have no value.
    package enum MissingValues: Sendable {
        /// They are refused on the basis of the models alone.
        case refused
        /// They are accepted for entities without rows.
        case acceptedWithoutRows
    }

    /// - Throws: `MappingError` for the first change that requires an explicit mapping.
    package init(
        from source: Model, to destination: Model, missingValues: MissingValues = .refused
    ) throws(MappingError) {
        let (source, destination) = (source.numberedWithoutGaps, destination.numberedWithoutGaps)
        let matching = NameMatching(
            older: source.entities.map { NameMatching.Label(name: $0.name, identifier: $0.renamingIdentifier) },
            newer: destination.entities.map { NameMatching.Label(name: $0.name, identifier: $0.renamingIdentifier) })
        var successors: [Int?] = Array(repeating: nil, count: source.entities.count)
        for (newer, older) in matching.origins.enumerated() {
            if let older { successors[older] = newer }
        }
        guard source.entities.isEmpty || successors.contains(where: { $0 != nil }) else {
            throw .nothingInCommon(source.entities.map(\.name).sorted { $0.precedesByBytes($1) })
        }
        self.source = source
        self.destination = destination
        self.successors = successors
        let inference = EntityMappingInference(source: source, destination: destination, successors: successors)
        var entities: [EntityMapping?] = []
        var unfilled: [UnfilledProperty] = []
        for (entity, origin) in zip(destination.entities, matching.origins) {
            guard let origin else {
                entities.append(nil)
                continue
            }
            let mapping = try inference.mapping(of: entity, from: origin)
            entities.append(mapping)
            unfilled += inference.unfilled(in: entity, mapping)
        }
        if missingValues == .refused, let first = unfilled.first { throw first.error }
        self.entities = entities
        self.unfilled = unfilled
        try inference.checkHierarchies(entities)
        try inference.checkInverses(entities)
    }

    /// Returns the source relationships of a relationship of the destination: none for a new one; several if
    /// subentities each had their own before it was moved up.
    package func origins(of relationship: EntityRelationship) -> [EntityRelationship] {
        var known: Set<RelationshipName> = []
        return destination[relationship.declaringIndex].familyIndexes.compactMap { index in
            guard let mapping = entities[index],
                let origin = mapping.relationshipOrigins[relationship.index]
            else { return nil }
            let found = source[mapping.sourceIndex].relationships[origin]
            let name = RelationshipName(entity: source[found.declaringIndex].name, relationship: found.name)
            return known.insert(name).inserted ? found : nil
        }
    }
}

/// A mandatory property of an entity for which its rows would have no value.
package struct UnfilledProperty: Sendable {
    /// The index of the entity in the destination.
    package let entityIndex: Int
    /// The error with which it is refused.
    package let error: MappingError
}

/// The mapping of one entity of the source to one of the destination.
package struct EntityMapping: Sendable {
    package let sourceIndex: Int
    package let destinationIndex: Int
    /// By position among the destination entity's attributes: the position among the source entity's; `nil` for a new
    /// one.
    package let attributeOrigins: [Int?]
    /// By slot of the destination entity: the slot of the source; `nil` for a new leaf, and for references.
    package let slotOrigins: [Int?]
    /// By position among the destination entity's relationships; `nil` for a new one.
    package let relationshipOrigins: [Int?]
}

/// A change between two models that cannot be inferred from the models alone.
package enum MappingError: Error, Hashable {
    case incompatibleType(entity: String, attribute: String, from: AttributeType, to: AttributeType)
    /// A value is mandatory, there may be rows without one, and the model has no default.
    case missingDefault(entity: String, attribute: String)
    /// A new relationship is mandatory, and existing rows have no destination.
    case missingDestination(entity: String, relationship: String)
    case toManyBecomesToOne(entity: String, relationship: String)
    /// Existing destinations are not of its destination entity.
    case otherDestination(entity: String, relationship: String, from: String, to: String)
    /// Two relationships that were independent became inverses, or vice versa.
    case otherInverse(entity: String, relationship: String)
    /// No entity would keep its rows: most likely the file belongs to another program.
    case nothingInCommon([String])
    /// Entities of several hierarchies were joined into one, so that rows may have equal keys.
    case mergedHierarchies(root: String, former: [String])
}

extension MappingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .incompatibleType(let entity, let attribute, let from, let to):
            "Attribute '\(entity).\(attribute)' changes from \(from) to \(to), which may lose values; add an attribute "
                + "of another name and convert the values in a custom stage."
        case .missingDefault(let entity, let attribute):
            "Attribute '\(entity).\(attribute)' must have a value now and rows may have none; give it a default or make "
                + "it optional."
        case .missingDestination(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' is new and must not be empty; make it optional, fill it in a "
                + "custom stage, and make it mandatory in a later version."
        case .toManyBecomesToOne(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' was to many and is to one now; add a relationship of another name "
                + "and choose in a custom stage."
        case .otherDestination(let entity, let relationship, let from, let to):
            "Relationship '\(entity).\(relationship)' had the destination '\(from)' and has '\(to)' now; add a "
                + "relationship of another name."
        case .otherInverse(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' has another inverse than before; add a relationship of another name."
        case .nothingInCommon(let entities):
            "None of the file's entities is in the model (\(entities.prefix(5).joined(separator: ", "))); nothing would be "
                + "left of it. Choose another file, or name the former entities by renaming identifiers."
        case .mergedHierarchies(let root, let former):
            "Entities of the hierarchies \(former.map { "'\($0)'" }.joined(separator: " and ")) are under '\(root)' now; "
                + "hierarchies cannot be joined, as their rows may have equal keys."
        }
    }
}
