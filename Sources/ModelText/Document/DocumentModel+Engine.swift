import Foundation
import ObjectGraph

extension DocumentModel {
    /// Converts the engine's model to a model file. Classes have the names of their entities. Two kinds of default
    /// values cannot be expressed in such files and are omitted: data, and defaults of composite attributes.
    package init(_ model: Model) {
        self.init()
        others.attributes = [
            "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
            "minimumToolsVersion": "Automatic",
        ]
        sourceLanguage = "Swift"
        versionIdentifier = model.versionIdentifiers.first ?? ""
        entities = model.descriptions.map { description in
            var entity = DocumentEntity(description)
            // The inverse may be declared by a superentity of the destination.
            for index in entity.relationships.indices {
                let name = entity.relationships[index].name
                let end = model.entity(named: entity.name)?.relationship(named: name)
                let inverse = end.flatMap { model.inverse(of: $0) }
                entity.relationships[index].inverseEntityName = inverse.map { model[$0.declaringIndex].name }
            }
            return entity
        }
    }
}

extension DocumentEntity {
    fileprivate init(_ description: EntityDescription) {
        self.init(description.name)
        className = description.name
        isAbstract = description.isAbstract
        parentName = description.superentityName
        renamingIdentifier = description.renamingIdentifier
        versionHashModifier = description.versionHashModifier
        codeGeneration = .classDefinition
        attributes = description.attributes.map(DocumentAttribute.init)
        relationships = description.relationships.map(DocumentRelationship.init)
        indexes = description.indexes.map { index in
            var document = DocumentIndex(
                name: index.name,
                elements: index.elements.map { part in
                    var element = DocumentIndex.Element(part.propertyName)
                    element.isAscending = part.isAscending
                    return element
                })
            document.partialPredicate = index.condition
            return document
        }
        uniquenessConstraints = description.uniquenessConstraints
        others.attributes = ["syncable": "YES"]
    }
}

extension DocumentAttribute {
    fileprivate init(_ attribute: Attribute) {
        self.init(attribute.name, attribute.type)
        isOptional = attribute.isOptional
        isTransient = attribute.isTransient
        derivation = attribute.derivation
        usesScalarType = attribute.type.usesScalarType
        allowsExternalStorage = attribute.allowsExternalStorage
        preservesValueOnDeletion = attribute.preservesValueOnDeletion
        transformerName = attribute.transformerName
        elements = attribute.elements.map(DocumentAttribute.init)
        renamingIdentifier = attribute.renamingIdentifier
        versionHashModifier = attribute.versionHashModifier
        if attribute.isEnum { userInfo = [DocumentUserInfo(key: "EnumType", value: "YES")] }
        if attribute.type != .composite, let value = attribute.defaultValue?.first { take(default: value) }
    }

    private mutating func take(default value: Value) {
        switch value {
        case .integer(let number) where type == .boolean: defaultText = number == 0 ? "NO" : "YES"
        case .integer(let number): defaultText = "\(number)"
        case .real(let seconds) where type == .date: defaultDate = seconds
        case .real(let number): defaultText = "\(number)"
        case .decimal(let number): defaultText = "\(number)"
        case .text(let text): defaultText = text
        case .uuid(let uuid): defaultText = uuid.uuidString
        case .null, .bytes, .reference: break
        }
    }
}

extension AttributeType {
    /// Xcode's choice for new attributes; `nil` for types without scalars.
    fileprivate var usesScalarType: Bool? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: true
        case .date, .uuid: false
        case .decimal, .string, .binary, .uri, .transformable, .composite: nil
        }
    }
}

extension DocumentRelationship {
    fileprivate init(_ relationship: Relationship) {
        self.init(relationship.name, to: relationship.destinationName)
        isOptional = relationship.isOptional
        isTransient = relationship.isTransient
        isToMany = relationship.cardinality == .toMany
        isOrdered = relationship.isOrdered
        minimumCount = relationship.minimumCount != 0 ? relationship.minimumCount : nil
        maximumCount = relationship.maximumCount != 0 ? relationship.maximumCount : nil
        deleteRule = relationship.deleteRule
        inverseName = relationship.inverseName
        renamingIdentifier = relationship.renamingIdentifier
        versionHashModifier = relationship.versionHashModifier
    }
}
