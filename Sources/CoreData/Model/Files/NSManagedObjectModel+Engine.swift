import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// Creates descriptions of the engine's model; they compile to an equal model.
    package convenience init(_ model: Model) {
        self.init()
        let made = model.descriptions.map { EngineDescriptions.entity($0) }
        let byName = ModelUse.byName(made)
        for (entity, description) in zip(made, model.descriptions) {
            guard let name = description.superentityName, let parent = byName[name] else { continue }
            parent.subentities.append(entity)
        }
        for (entity, description) in zip(made, model.descriptions) {
            entity.indexes = description.indexes.map(EngineDescriptions.index)
        }
        entities = made
        versionIdentifiers = Set(model.versionIdentifiers.map { AnyHashable($0) })
    }
}

/// Descriptions from the engine's values.
enum EngineDescriptions {
    static func entity(_ description: EntityDescription) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = description.name
        entity.isAbstract = description.isAbstract
        entity.versionHashModifier = description.versionHashModifier
        entity.renamingIdentifier = description.renamingIdentifier
        entity.properties = description.attributes.map(attribute) + description.relationships.map(relationship)
        entity.uniquenessConstraints = description.uniquenessConstraints
        return entity
    }

    static func attribute(_ attribute: Attribute) -> NSAttributeDescription {
        let description = emptyDescription(attribute)
        description.name = attribute.name
        description.attributeType = NSAttributeType(attribute.type)
        description.isOptional = attribute.isOptional
        description.isTransient = attribute.isTransient
        description.allowsExternalBinaryDataStorage = attribute.allowsExternalStorage
        description.preservesValueInHistoryOnDeletion = attribute.preservesValueOnDeletion
        description.versionHashModifier = attribute.versionHashModifier
        description.renamingIdentifier = attribute.renamingIdentifier
        description.valueTransformerName = attribute.transformerName
        description.defaultValue = defaultValue(of: attribute)
        if attribute.isEnum { description.userInfo = [AttributeCompiler.enumMark: true] }
        return description
    }

    private static func emptyDescription(_ attribute: Attribute) -> NSAttributeDescription {
        if let derivation = attribute.derivation {
            let derived = NSDerivedAttributeDescription()
            derived.derivationText = derivation
            derived.filteringText = attribute.derivationFilter
            return derived
        }
        guard attribute.type == .composite else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        composite.elements = attribute.elements.map(self.attribute)
        return composite
    }

    private static func defaultValue(of attribute: Attribute) -> Any? {
        guard let values = attribute.defaultValue else { return nil }
        guard attribute.type == .composite else {
            return values.first.flatMap { StoredValue.any($0, attribute.type) }
        }
        var dictionary: [String: Any] = [:]
        for (leaf, value) in zip(attribute.leaves, values) {
            dictionary[leaf.name] = StoredValue.any(value, leaf.type)
        }
        return dictionary
    }

    static func relationship(_ relationship: Relationship) -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.name = relationship.name
        description.destinationName = relationship.destinationName
        description.inverseName = relationship.inverseName
        description.isOptional = relationship.isOptional
        description.isTransient = relationship.isTransient
        description.isOrdered = relationship.isOrdered
        description.minCount = relationship.minimumCount
        description.maxCount = relationship.maximumCount
        description.deleteRule = NSDeleteRule(relationship.deleteRule)
        description.versionHashModifier = relationship.versionHashModifier
        description.renamingIdentifier = relationship.renamingIdentifier
        return description
    }

    static func index(_ index: FetchIndex) -> NSFetchIndexDescription {
        let elements = index.elements.map { part in
            let element = NSFetchIndexElementDescription(propertyName: part.propertyName, collationType: .binary)
            element.isAscending = part.isAscending
            return element
        }
        let description = NSFetchIndexDescription(name: index.name, elements: elements)
        description.partialIndexPredicate = index.condition.map { NSPredicate(format: $0) }
        return description
    }
}
