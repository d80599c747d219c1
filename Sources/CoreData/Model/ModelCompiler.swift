import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// The engine's model of this one.
    /// - Throws: `ManagedObjectModelError` for the first entity or property that is not valid.
    package func compiled() throws(ManagedObjectModelError) -> Model {
        if let currentUse { return currentUse.model }
        let identifiers = versionIdentifiers.compactMap { $0 as? String }.sorted()
        return try ModelCompiler(entities: entities, versionIdentifiers: identifiers).model()
    }
}

/// Compiles descriptions to the engine's model. Entities are sorted by name, so that the same model always compiles to the same
/// result.
struct ModelCompiler {
    let entities: [NSEntityDescription]
    var versionIdentifiers: [String] = []

    static let hierarchyLimit = 64
    static let compositeLimit = 16

    init(entities: [NSEntityDescription], versionIdentifiers: [String]) {
        self.entities = entities
        self.versionIdentifiers = versionIdentifiers
    }

    /// Compiles an entity with its hierarchy and the destinations of its relationships.
    init(loneEntity: NSEntityDescription) {
        var found: [NSEntityDescription] = []
        var seen: Set<ObjectIdentifier> = []
        var open = [loneEntity]
        while let next = open.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            found.append(next)
            open += next.ownProperties.compactMap { ($0 as? NSRelationshipDescription)?.destinationEntity }
            open += next.subentities
            if let parent = next.superentity { open.append(parent) }
        }
        entities = found
    }

    func model() throws(ManagedObjectModelError) -> Model {
        try checkHierarchies()
        var descriptions: [EntityDescription] = []
        for entity in entities { descriptions.append(try description(of: entity)) }
        descriptions.sort { $0.name.precedesByBytes($1.name) }
        do {
            let model = try Model(descriptions, versionIdentifiers: versionIdentifiers)
            try model.checkUniqueness()
            return model
        } catch let error as ModelError {
            throw .inconsistent(error)
        } catch {
            // The engine throws no other errors.
            throw .entityWithoutName
        }
    }

    /// Rejects circles, which would not end, and great depth, which costs time and stack.
    private func checkHierarchies() throws(ManagedObjectModelError) {
        let members = Set(entities.map(ObjectIdentifier.init))
        for entity in entities {
            let name = try Self.name(of: entity)
            let line = entity.lineage
            if let top = line.last?.superentity, line.contains(where: { $0 === top }) {
                throw .inheritanceCycle(entity: name)
            }
            guard line.count <= Self.hierarchyLimit else { throw .tooDeep(entity: name) }
            for subentity in entity.subentities where !members.contains(ObjectIdentifier(subentity)) {
                throw .subentityMissing(entity: name, subentity: subentity.name ?? "")
            }
        }
    }

    static func name(of entity: NSEntityDescription) throws(ManagedObjectModelError) -> String {
        guard let name = entity.name, !name.isEmpty else { throw .entityWithoutName }
        guard PlainName.isValid(name) else { throw .unusableName(entity: name, property: nil) }
        return name
    }

    // MARK: Entities

    func description(of entity: NSEntityDescription) throws(ManagedObjectModelError) -> EntityDescription {
        let name = try Self.name(of: entity)
        var description = EntityDescription(name, superentity: entity.superentity?.name)
        description.isAbstract = entity.isAbstract
        description.versionHashModifier = entity.versionHashModifier
        description.renamingIdentifier = entity.formerName
        for property in entity.ownProperties {
            guard !property.name.isEmpty else { throw .propertyWithoutName(entity: name) }
            guard PlainName.isValid(property.name) else {
                throw .unusableName(entity: name, property: property.name)
            }
            switch property {
            case let attribute as NSAttributeDescription:
                description.attributes.append(try AttributeCompiler(entity: name).attribute(attribute))
            case let relationship as NSRelationshipDescription:
                description.relationships.append(try self.relationship(relationship, entity: name))
            case is NSFetchedPropertyDescription:
                continue
            default:
                throw .unstorableProperty(entity: name, property: property.name)
            }
        }
        guard !entity.constraintNames.joined().contains("") else {
            throw .constraintElementWithoutName(entity: name)
        }
        description.uniquenessConstraints = entity.constraintNames.filter { !$0.isEmpty }
        description.indexes = entity.indexes.compactMap(index)
        return description
    }

    private func relationship(
        _ description: NSRelationshipDescription, entity: String
    ) throws(ManagedObjectModelError) -> Relationship {
        guard let destination = description.destinationName, !destination.isEmpty else {
            throw .destinationMissing(entity: entity, relationship: description.name)
        }
        let minimum = description.minCount
        // Model files use -1 for no limit, and programs `.max`. A maximum that no relationship can reach is no limit.
        let maximum = description.maxCount > Int(Int32.max) ? 0 : description.maxCount
        guard maximum <= 0 || minimum <= maximum, Int32(exactly: minimum) != nil, Int32(exactly: maximum) != nil else {
            throw .impossibleCounts(
                entity: entity, relationship: description.name, minimum: minimum, maximum: maximum)
        }
        var relationship = Relationship(
            description.name, to: destination, description.isToMany ? .toMany : .toOne,
            inverse: description.inverseName, deleteRule: description.deleteRule.engineRule,
            optional: description.isOptional)
        relationship.isOrdered = description.isOrdered
        relationship.isTransient = description.isTransient
        relationship.minimumCount = minimum
        relationship.maximumCount = maximum
        relationship.versionHashModifier = description.versionHashModifier
        relationship.renamingIdentifier = description.formerName
        return relationship
    }

    /// The store does not make spatial indexes, nor those of computed values.
    private func index(_ description: NSFetchIndexDescription) -> FetchIndex? {
        let elements = description.elements.compactMap { element -> FetchIndex.Element? in
            guard element.collationType == .binary, !(element.property is NSExpressionDescription) else { return nil }
            return element.propertyName.map { FetchIndex.Element($0, ascending: element.isAscending) }
        }
        guard !elements.isEmpty, elements.count == description.elements.count else { return nil }
        return FetchIndex(
            name: description.name, elements: elements, condition: description.partialIndexPredicate?.formatText)
    }
}
