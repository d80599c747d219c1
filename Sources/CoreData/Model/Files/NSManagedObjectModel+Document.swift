import Foundation
import ModelText
import ObjectGraph
import PredicateFormat

extension NSManagedObjectModel {
    /// Creates the model of an `.xcdatamodel`, as a model compiler would.
    package convenience init(_ document: DocumentModel, module: ClassNames = ClassNames()) {
        self.init()
        let composites = Dictionary(document.composites.map { ($0.name, $0.elements) }) { first, _ in first }
        let reader = DocumentDescriptions(composites: composites, module: module)
        let made = document.entities.map { reader.entity($0) }
        let byName = ModelUse.byName(made)
        for (entity, text) in zip(made, document.entities) {
            guard let name = text.parentName, let parent = byName[name], parent !== entity else { continue }
            parent.subentities.append(entity)
        }
        for (entity, text) in zip(made, document.entities) { entity.indexes = text.indexes.map(reader.index) }
        entities = made
        for configuration in document.configurations {
            configurationNames[configuration.name] = configuration.entityNames
        }
        for request in document.fetchRequests {
            setTemplate(DocumentDescriptions.template(request), forName: request.name)
        }
        if let identifier = document.versionIdentifier { versionIdentifiers = [identifier] }
    }
}

/// Descriptions from the values of a model file.
struct DocumentDescriptions {
    let composites: [String: [DocumentAttribute]]
    let module: ClassNames
    /// Composites that contain themselves end at this depth, and compiling the model reports them.
    private static let compositeLimit = ModelCompiler.compositeLimit + 1

    func entity(_ text: DocumentEntity) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = text.name
        entity.managedObjectClassName = module.name(text.className)
        entity.isAbstract = text.isAbstract
        entity.renamingIdentifier = text.renamingIdentifier
        entity.versionHashModifier = text.versionHashModifier
        entity.userInfo = text.userInfo.foundationValue
        let attributes = text.attributes.map { attribute($0, depth: 0) }
        entity.properties =
            attributes + text.relationships.map(relationship) + text.fetchedProperties.map(fetchedProperty)
        entity.uniquenessConstraints = text.uniquenessConstraints
        entity.compoundIndexNames = text.compoundIndexes
        return entity
    }

    static func template(_ text: DocumentFetchRequest) -> ModelTemplate {
        var template = ModelTemplate(
            entityName: text.entityName, predicate: text.predicate.map { NSPredicate(format: $0) })
        template.options = text.options
        return template
    }

    func index(_ text: DocumentIndex) -> NSFetchIndexDescription {
        let elements = text.elements.compactMap { part -> NSFetchIndexElementDescription? in
            guard let name = part.propertyName else { return nil }
            let element = NSFetchIndexElementDescription(
                propertyName: name, collationType: part.isSpatial ? .rTree : .binary)
            element.isAscending = part.isAscending
            return element
        }
        let index = NSFetchIndexDescription(name: text.name, elements: elements)
        index.partialIndexPredicate = text.partialPredicate.map { NSPredicate(format: $0) }
        return index
    }

    // MARK: Properties

    func attribute(_ text: DocumentAttribute, depth: Int) -> NSAttributeDescription {
        let attribute = emptyAttribute(text, depth: depth)
        attribute.name = text.name
        attribute.attributeType = text.type.map { NSAttributeType($0) } ?? .undefinedAttributeType
        attribute.isOptional = text.isOptional
        attribute.isTransient = text.isTransient
        attribute.allowsExternalBinaryDataStorage = text.allowsExternalStorage
        attribute.allowsCloudEncryption = text.allowsCloudEncryption
        attribute.preservesValueInHistoryOnDeletion = text.preservesValueOnDeletion
        attribute.isIndexedBySpotlight = text.isIndexedBySpotlight
        attribute.hasIndexMark = text.isIndexed
        attribute.valueTransformerName = text.transformerName
        if let name = text.className { attribute.attributeValueClassName = name }
        attribute.renamingIdentifier = text.renamingIdentifier
        attribute.versionHashModifier = text.versionHashModifier
        attribute.userInfo = text.userInfo.foundationValue
        attribute.defaultValue = DocumentValue.defaultValue(of: text)
        let rules = DocumentValue.validation(of: text)
        if !rules.isEmpty { attribute.setRules(rules.map(\.predicate), rules.map(\.code)) }
        return attribute
    }

    private func emptyAttribute(_ text: DocumentAttribute, depth: Int) -> NSAttributeDescription {
        if let derivation = text.derivation {
            let derived = NSDerivedAttributeDescription()
            // In its printed form, from which version hashes are computed.
            derived.derivationText = (try? ExpressionFormat(parsing: derivation))?.description ?? derivation
            return derived
        }
        guard text.type == .composite else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        let elements = text.elements.isEmpty ? composites[text.compositeName ?? ""] ?? [] : text.elements
        if depth < Self.compositeLimit { composite.elements = elements.map { attribute($0, depth: depth + 1) } }
        return composite
    }

    private func relationship(_ text: DocumentRelationship) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = text.name
        relationship.destinationName = text.destinationName
        relationship.inverseName = text.inverseName
        relationship.isOptional = text.isOptional
        relationship.isTransient = text.isTransient
        relationship.isOrdered = text.isOrdered
        relationship.minCount = text.minimumCount ?? 0
        relationship.maxCount = text.isToMany ? text.maximumCount ?? 0 : 1
        relationship.deleteRule = NSDeleteRule(text.deleteRule)
        relationship.isIndexedBySpotlight = text.isIndexedBySpotlight
        relationship.renamingIdentifier = text.renamingIdentifier
        relationship.versionHashModifier = text.versionHashModifier
        relationship.userInfo = text.userInfo.foundationValue
        return relationship
    }

    private func fetchedProperty(_ text: DocumentFetchedProperty) -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.name = text.name
        property.isOptional = text.isOptional
        property.userInfo = text.userInfo.foundationValue
        property.template = text.request.map(Self.template)
        return property
    }
}

extension [DocumentUserInfo] {
    fileprivate var foundationValue: [AnyHashable: Any]? {
        isEmpty ? nil : Dictionary(map { (AnyHashable($0.key), $0.value as Any) }) { first, _ in first }
    }
}
