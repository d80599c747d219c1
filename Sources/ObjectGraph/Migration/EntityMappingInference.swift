/// A step of `InferredMapping`: compares entities that have been matched, property by property.
struct EntityMappingInference {
    let source: Model
    let destination: Model
    /// By index of the source's entities.
    let successors: [Int?]

    func mapping(of entity: Entity, from sourceIndex: Int) throws(MappingError) -> EntityMapping {
        let former = source[sourceIndex]
        let attributes = NameMatching(
            older: former.attributes.map { NameMatching.Label($0.attribute) },
            newer: entity.attributes.map { NameMatching.Label($0.attribute) })
        let relationships = NameMatching(
            older: former.relationships.map { NameMatching.Label($0.relationship) },
            newer: entity.relationships.map { NameMatching.Label($0.relationship) })
        var slotOrigins: [Int?] = Array(repeating: nil, count: entity.slots.count)
        for (attribute, origin) in zip(entity.attributes, attributes.origins) {
            try check(attribute.attribute, from: origin.map { former.attributes[$0].attribute }, in: entity)
            guard let origin else { continue }
            for (slot, leaf) in leafOrigins(of: attribute, from: former.attributes[origin]) { slotOrigins[slot] = leaf }
        }
        for (relationship, origin) in zip(entity.relationships, relationships.origins) {
            try check(relationship, from: origin.map { former.relationships[$0] }, in: entity)
        }
        return EntityMapping(
            sourceIndex: sourceIndex, destinationIndex: entity.index, attributeOrigins: attributes.origins,
            slotOrigins: slotOrigins, relationshipOrigins: relationships.origins)
    }

    // MARK: Attributes

    private func check(
        _ attribute: Attribute, from former: Attribute?, in entity: Entity
    ) throws(MappingError) {
        guard !attribute.isTransient, !attribute.isDerived else { return }
        // Attributes that were not stored have no values to copy.
        let stored = former.flatMap { $0.isTransient ? nil : $0 }
        if let stored {
            guard stored.type.widens(to: attribute.type) else {
                throw .incompatibleType(
                    entity: entity.name, attribute: attribute.name, from: stored.type, to: attribute.type)
            }
            try checkLeaves(attribute, from: stored, in: entity)
        }
    }

    private func checkLeaves(
        _ attribute: Attribute, from former: Attribute, in entity: Entity
    ) throws(MappingError) {
        guard attribute.type == .composite else { return }
        for element in attribute.elements {
            guard let old = former.elements.first(where: { $0.name == element.name }) else { continue }
            guard old.type.widens(to: element.type) else {
                throw .incompatibleType(
                    entity: entity.name, attribute: "\(attribute.name).\(element.name)", from: old.type,
                    to: element.type)
            }
            try checkLeaves(element, from: old, in: entity)
        }
    }

    /// Returns the slots of an attribute, with the slots of the former attribute's leaves at the same paths.
    private func leafOrigins(
        of attribute: EntityAttribute, from former: EntityAttribute
    ) -> [(slot: Int, origin: Int)] {
        guard !attribute.attribute.isTransient, !former.attribute.isTransient else { return [] }
        let paths = Dictionary(
            zip(former.attribute.leafPaths, former.slots), uniquingKeysWith: { first, _ in first })
        return zip(attribute.attribute.leafPaths, attribute.slots).compactMap { path, slot in
            paths[path].map { (slot, $0) }
        }
    }

    // MARK: Relationships

    private func check(
        _ relationship: EntityRelationship, from former: EntityRelationship?, in entity: Entity
    ) throws(MappingError) {
        guard !relationship.relationship.isTransient, let former, !former.relationship.isTransient else { return }
        guard former.isToOne || !relationship.isToOne else {
            throw .toManyBecomesToOne(entity: entity.name, relationship: relationship.name)
        }
        for index in source[former.destinationIndex].familyIndexes {
            guard let successor = successors[index] else { continue }
            guard destination.isKind(successor, of: relationship.destinationIndex) else {
                throw .otherDestination(
                    entity: entity.name, relationship: relationship.name,
                    from: source[former.destinationIndex].name, to: destination[relationship.destinationIndex].name)
            }
        }
    }

    // MARK: Missing values

    /// Returns the mandatory properties for which rows of an entity would have no value.
    func unfilled(in entity: Entity, _ mapping: EntityMapping) -> [UnfilledProperty] {
        let former = source[mapping.sourceIndex]
        let attributes = zip(entity.attributes.map(\.attribute), mapping.attributeOrigins).filter { attribute, origin in
            isUnfilled(attribute, from: origin.map { former.attributes[$0].attribute })
        }
        let relationships = zip(entity.relationships, mapping.relationshipOrigins).filter { relationship, origin in
            isUnfilled(relationship, from: origin.map { former.relationships[$0] })
        }
        let errors =
            attributes.map { MappingError.missingDefault(entity: entity.name, attribute: $0.0.name) }
            + relationships.map { MappingError.missingDestination(entity: entity.name, relationship: $0.0.name) }
        return errors.map { UnfilledProperty(entityIndex: entity.index, error: $0) }
    }

    private func isUnfilled(_ attribute: Attribute, from former: Attribute?) -> Bool {
        // Attributes that were not stored have no values to copy.
        let mayBeMissing = former.flatMap { $0.isTransient ? nil : $0.isOptional } ?? true
        let isStored = !attribute.isTransient && !attribute.isDerived
        return isStored && !attribute.isOptional && mayBeMissing && !attribute.hasDefault
    }

    private func isUnfilled(_ relationship: EntityRelationship, from former: EntityRelationship?) -> Bool {
        let isNew = former?.relationship.isTransient ?? true
        let rule = relationship.relationship
        return isNew && !rule.isTransient && rule.isMandatory && !isFilledFromInverse(relationship)
    }

    /// Whether the links exist already, because a relationship is new but its inverse is not.
    private func isFilledFromInverse(_ relationship: EntityRelationship) -> Bool {
        guard let inverse = destination.inverse(of: relationship) else { return false }
        let names = [inverse.name, inverse.relationship.renamingIdentifier].compactMap { $0 }
        return destination[relationship.destinationIndex].familyIndexes.contains { index in
            guard let former = successors.firstIndex(of: index) else { return false }
            return names.contains { source[former].relationship(named: $0) != nil }
        }
    }

    // MARK: Whole models

    /// Refuses joined hierarchies, because keys are unique only within one.
    func checkHierarchies(_ mappings: [EntityMapping?]) throws(MappingError) {
        for root in destination.entities where root.isRoot {
            let former = Set(
                root.familyIndexes.compactMap { index in
                    mappings[index].map { source[source[$0.sourceIndex].rootIndex].name }
                })
            guard former.count < 2 else {
                throw .mergedHierarchies(root: root.name, former: former.sorted { $0.precedesByBytes($1) })
            }
        }
    }

    /// Refuses pairs of existing relationships that were not inverses, because their links may contradict each other.
    func checkInverses(_ mappings: [EntityMapping?]) throws(MappingError) {
        for case let mapping? in mappings {
            let entity = destination[mapping.destinationIndex]
            for (relationship, origin) in zip(entity.relationships, mapping.relationshipOrigins) {
                guard let origin, let inverse = destination.inverse(of: relationship) else { continue }
                let former = source[mapping.sourceIndex].relationships[origin]
                let expected = source.inverse(of: former)
                let ends = formerEnds(of: inverse, in: relationship.destinationIndex, mappings)
                guard ends.allSatisfy({ $0.name == expected?.name && $0.declaringIndex == expected?.declaringIndex })
                else { throw .otherInverse(entity: entity.name, relationship: relationship.name) }
            }
        }
    }

    /// Returns the former relationships of a relationship of an entity, including those of its subentities.
    private func formerEnds(
        of relationship: EntityRelationship, in entityIndex: Int, _ mappings: [EntityMapping?]
    ) -> [EntityRelationship] {
        destination[entityIndex].familyIndexes.compactMap { index in
            guard let mapping = mappings[index], let origin = mapping.relationshipOrigins[relationship.index] else {
                return nil
            }
            return source[mapping.sourceIndex].relationships[origin]
        }
    }
}

extension NameMatching.Label {
    init(_ attribute: Attribute) {
        self.init(name: attribute.name, identifier: attribute.renamingIdentifier)
    }

    init(_ relationship: Relationship) {
        self.init(name: relationship.name, identifier: relationship.renamingIdentifier)
    }
}

extension Attribute {
    var hasDefault: Bool { defaultValue.map { values in values.contains { !$0.isNull } } ?? false }

    /// The paths of the leaves within the attribute, in the order of the leaves.
    var leafPaths: [[String]] {
        guard type == .composite else { return [[]] }
        return elements.flatMap { element in element.leafPaths.map { [element.name] + $0 } }
    }
}
