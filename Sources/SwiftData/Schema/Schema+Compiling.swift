import Foundation
import ObjectGraph

extension Schema {
    /// The engine's model of this schema.
    /// - Throws: `SchemaError` for an invalid declaration, `ModelError` for incompatible entities (such as two classes with
    ///   one name).
    func compiled() throws -> Model {
        if let problem = problems.first { throw problem }
        try checkOwners()
        let model = try Model(entities.map { try $0.compiled() }, versionIdentifiers: [version.description])
        try model.checkUniqueness()
        return model
    }

    /// A unique to-many relationship needs a to-one inverse, which has the key: with a to-many inverse, a single owner
    /// cannot be ensured.
    private func checkOwners() throws {
        for entity in entities {
            for case let relationship as Schema.Relationship in entity.storedProperties
            where relationship.isUnique && !relationship.isToOneRelationship {
                let inverse = relationship.inverseName.flatMap {
                    entitiesByName[relationship.destination]?.relationshipsByName[$0]
                }
                guard let inverse, !inverse.isToOneRelationship else { continue }
                throw SchemaError.manyOwners(
                    entity: entity.name, relationship: relationship.name, inverse: inverse.name)
            }
        }
    }
}

/// For `NSManagedObjectModel.makeManagedObjectModel(for:mergedWith:)` of the Core Data face.
extension Schema: ModelSource {
    package static func source(of types: [Any.Type]) -> (any ModelSource)? {
        let models = types.compactMap { $0 as? any PersistentModel.Type }
        return models.count == types.count ? Schema(models) : nil
    }

    package func makeModel() throws -> Model { try compiled() }
}

extension SchemaProperty {
    /// Whether `.unique` of the property is a constraint on the entity's rows. A to-many relationship has no column in
    /// them: its destinations have one owner by the way they are stored.
    var needsConstraint: Bool {
        if let relationship = self as? Schema.Relationship {
            return relationship.isUnique && relationship.isToOneRelationship
        }
        return self is Schema.Attribute && isUnique
    }
}

extension Schema.Entity {
    fileprivate func compiled() throws -> EntityDescription {
        var description = EntityDescription(name, superentity: superentityName)
        description.attributes = try ownAttributes.map { try $0.compiled(entity: name) }
        description.relationships = ownRelationships.map { $0.compiled() }
        description.uniquenessConstraints = uniquenessConstraints
        for property in storedProperties where property.needsConstraint {
            if !description.uniquenessConstraints.contains([property.name]) {
                description.uniquenessConstraints.append([property.name])
            }
        }
        description.indexes = indices.map {
            FetchIndex(name: "SwiftDataIndexOnBinary" + $0.joined(), propertyNames: $0)
        }
        return description
    }
}

extension Schema.Attribute {
    fileprivate func compiled(entity: String) throws -> ObjectGraph.Attribute {
        var attribute = try shape(entity: entity)
        attribute.isTransient = isTransient
        if isTransient { attribute.elements = attribute.elements.map { $0.transient() } }
        attribute.allowsExternalStorage = has(.externalStorage)
        attribute.preservesValueOnDeletion = has(.preserveValueOnDeletion)
        attribute.versionHashModifier = hashModifier
        attribute.renamingIdentifier = originalName.isEmpty || originalName == name ? nil : originalName
        attribute.defaultValue = try compiledDefault(entity: entity)
        return attribute
    }

    private func has(_ kind: Option.Kind) -> Bool { options.contains { $0.kind == kind } }

    /// Name, type, elements and transformer.
    private func shape(entity: String) throws -> ObjectGraph.Attribute {
        if let transformerName {
            var attribute = ObjectGraph.Attribute(name, .transformable, optional: isOptional)
            attribute.transformerName = transformerName
            return attribute
        }
        if let codec { return codec.attribute(named: name, isOptional: isOptional) }
        if isCodable { return ObjectGraph.Attribute(name, .binary, optional: isOptional) }
        if let composite = self as? Schema.CompositeAttribute {
            var attribute = ObjectGraph.Attribute(name, .composite, optional: isOptional)
            attribute.elements = try composite.properties.map { try $0.compiled(entity: entity) }
            return attribute
        }
        guard let type = AttributeType(swiftType: withoutOptional(valueType)) else {
            throw SchemaError.unsupportedValueType(entity: entity, attribute: name, type: "\(valueType)")
        }
        return ObjectGraph.Attribute(name, type, optional: isOptional)
    }

    private func compiledDefault(entity: String) throws -> [Value]? {
        guard let value = knownDefault, let codec else { return nil }
        guard let values = codec.encodedAny(value) else {
            throw SchemaError.unsuitableDefault(entity: entity, attribute: name)
        }
        return values.allSatisfy(\.isNull) ? nil : values
    }
}

extension ObjectGraph.Attribute {
    fileprivate func transient() -> ObjectGraph.Attribute {
        var copy = self
        copy.isTransient = true
        copy.elements = elements.map { $0.transient() }
        return copy
    }
}

extension Schema.Relationship {
    fileprivate func compiled() -> ObjectGraph.Relationship {
        let cardinality: Cardinality = isToOneRelationship ? .toOne : .toMany
        var relationship = ObjectGraph.Relationship(
            name, to: destination, cardinality, inverse: inverseName, deleteRule: deleteRule.engineRule,
            optional: isOptional)
        relationship.minimumCount = max(0, minimumModelCount ?? 0)
        relationship.maximumCount = isToOneRelationship ? 1 : max(0, maximumModelCount ?? 0)
        relationship.versionHashModifier = hashModifier
        relationship.renamingIdentifier = originalName.isEmpty || originalName == name ? nil : originalName
        return relationship
    }
}

extension AttributeType {
    /// The type that stores a Swift value directly; `nil` for one that needs a codec.
    init?(swiftType: any Any.Type) {
        let found = Self.plainTypes.first { $0.swiftType == swiftType }
        guard let found else { return nil }
        self = found.attributeType
    }

    /// The Swift type of a stored element; `Any` if the stored form does not determine it.
    var swiftType: any Any.Type {
        Self.plainTypes.first { $0.attributeType == self }?.swiftType ?? Any.self
    }

    /// The first Swift type of each attribute type represents it.
    private static var plainTypes: [(swiftType: any Any.Type, attributeType: AttributeType)] {
        [
            (Int.self, .integer64), (Int64.self, .integer64), (UInt32.self, .integer64), (Int32.self, .integer32),
            (UInt16.self, .integer32), (Int16.self, .integer16), (Int8.self, .integer16), (UInt8.self, .integer16),
            (Decimal.self, .decimal), (Double.self, .double), (Float.self, .float), (String.self, .string),
            (Bool.self, .boolean), (Date.self, .date), (Data.self, .binary), (UUID.self, .uuid), (URL.self, .uri),
        ]
    }
}
