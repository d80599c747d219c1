import ObjectGraph

/// The components of a schema, collected from model classes or from entities.
struct SchemaParts {
    private(set) var entities: [Schema.Entity] = []
    private(set) var modelTypes: [ModelType] = []
    private(set) var problems: [SchemaError] = []

    /// Collects entities with their subentities.
    init(entities: [Schema.Entity]) {
        for entity in entities { take(entity) }
        let byName = Dictionary(self.entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in self.entities {
            guard entity.superentity == nil, let name = entity.superentityName, let parent = byName[name] else {
                continue
            }
            entity.superentity = parent
            parent.subentities.insert(entity)
        }
        for entity in self.entities where entity.superentityName == nil { inherit([], into: entity, depth: 0) }
        resolveInverses(modelTypes: [])
    }

    private mutating func take(_ entity: Schema.Entity) {
        guard !entities.contains(where: { $0 === entity }) else { return }
        entities.append(entity)
        for subentity in entity.subentities.sorted(by: { $0.name < $1.name }) { take(subentity) }
    }

    /// Passes properties to subentities. The depth limits the recursion if entities were linked in a circle.
    private func inherit(_ properties: [any SchemaProperty], into entity: Schema.Entity, depth: Int) {
        guard depth < entities.count else { return }
        entity.inheritedProperties = properties
        for subentity in entity.subentities { inherit(entity.properties, into: subentity, depth: depth + 1) }
    }

    /// Collects model classes, their superclasses, and the classes that relationships reach from them.
    init(types: [any PersistentModel.Type]) {
        modelTypes = Self.reachable(from: types)
        let names = Dictionary(
            modelTypes.map { (ObjectIdentifier($0.type), $0.entityName) }
        ) { first, _ in first }
        for modelType in modelTypes { entities.append(entity(of: modelType, names: names)) }
        linkSuperclasses()
        resolveInverses(modelTypes: modelTypes)
    }

    /// Breadth first, so that the given types keep their order and come before those reached from them.
    private static func reachable(from types: [any PersistentModel.Type]) -> [ModelType] {
        var found: [ModelType] = []
        var seen: Set<ObjectIdentifier> = []
        var waiting = types
        while !waiting.isEmpty {
            var next: [any PersistentModel.Type] = []
            for type in waiting where seen.insert(ObjectIdentifier(type)).inserted {
                let modelType = ModelType.of(type)
                found.append(modelType)
                if let superType = modelType.superType { next.append(superType.type) }
                for case .relationship(let destination, _) in modelType.properties.map(\.kind) {
                    next.append(destination)
                }
            }
            waiting = next
        }
        return found
    }

    private mutating func entity(of modelType: ModelType, names: [ObjectIdentifier: String]) -> Schema.Entity {
        let entity = Schema.Entity(modelType.entityName)
        for property in modelType.properties {
            switch property.kind {
            case .attribute(let codec):
                entity.storedProperties.append(Schema.Attribute.make(property: property, codec: codec))
            case .relationship(let destination, _):
                if property.isConstant {
                    problems.append(
                        .constantRelationship(entity: modelType.entityName, relationship: property.name))
                }
                let name = names[ObjectIdentifier(destination)] ?? ModelType.of(destination).entityName
                entity.storedProperties.append(Schema.Relationship(property: property, destination: name))
            }
        }
        entity.uniquenessConstraints = entity.storedProperties.filter(\.needsConstraint).map { [$0.name] }
        for metadata in modelType.hasMacro ? modelType.type.schemaMetadata.map(\.metadata) : [] {
            if let unique = metadata as? any UniquenessDeclaration {
                declare(unique.keyPathLists, "#Unique", of: modelType, in: &entity.uniquenessConstraints)
            } else if let index = metadata as? any IndexDeclaration {
                declare(index.keyPathLists, "#Index", of: modelType, in: &entity.indices)
            }
        }
        return entity
    }

    private mutating func declare(
        _ lists: [[AnyKeyPath]], _ declaration: String, of modelType: ModelType, in groups: inout [[String]]
    ) {
        for keyPaths in lists where !keyPaths.isEmpty {
            let names = keyPaths.compactMap { modelType.propertyName(of: $0) }
            if names.count < keyPaths.count {
                problems.append(.unknownKeyPath(entity: modelType.entityName, declaration: declaration))
            } else if !groups.contains(names) {
                groups.append(names)
            }
        }
    }

    private func linkSuperclasses() {
        let byType = Dictionary(
            zip(modelTypes.map { ObjectIdentifier($0.type) }, entities)
        ) { first, _ in first }
        for (modelType, entity) in zip(modelTypes, entities) {
            guard let superType = modelType.superType, let parent = byType[ObjectIdentifier(superType.type)] else {
                continue
            }
            entity.superentity = parent
            parent.subentities.insert(entity)
        }
        for entity in entities where entity.superentityName == nil { inherit([], into: entity, depth: 0) }
    }

    private mutating func resolveInverses(modelTypes: [ModelType]) {
        var inference = InverseInference(entities: entities, modelTypes: modelTypes)
        inference.resolve()
        problems += inference.problems
    }
}

extension Schema.Attribute {
    /// The attribute of one property: the content of its annotation, if any, with its name, type and default value.
    static func make(property: ModelProperty, codec: any AttributeCodec) -> Schema.Attribute {
        let annotation = property.metadata as? Schema.Attribute
        let originalName = annotation.flatMap { $0.originalName.isEmpty ? nil : $0.originalName }
        let options = annotation?.options ?? []
        let isTransformable = options.contains { $0.transformerName != nil }
        let described = codec.attribute(named: property.name, isOptional: isOptionalType(property.valueType))
        guard described.type == .composite, !isTransformable else {
            let attribute = Schema.Attribute(
                name: property.name, originalName: originalName, options: options, valueType: property.valueType,
                defaultValue: property.defaultValue, hashModifier: annotation?.hashModifier)
            attribute.codec = codec
            return attribute
        }
        let attribute = Schema.CompositeAttribute(
            name: property.name, originalName: originalName, options: options, valueType: property.valueType,
            defaultValue: property.defaultValue, hashModifier: annotation?.hashModifier)
        attribute.properties = described.elements.map(Schema.Attribute.part)
        attribute.codec = codec
        return attribute
    }

    private static func part(_ element: ObjectGraph.Attribute) -> Schema.Attribute {
        guard element.type == .composite else {
            let part = Schema.Attribute(name: element.name, valueType: element.type.swiftType)
            part.isOptional = element.isOptional
            return part
        }
        let part = Schema.CompositeAttribute(name: element.name, valueType: Any.self)
        part.isOptional = element.isOptional
        part.properties = element.elements.map(Schema.Attribute.part)
        return part
    }
}
