import ObjectGraph

/// A model class, looked up once by generated code.
public struct _ModelClass: Sendable {
    let type: ModelType

    public init(_ type: any PersistentModel.Type) {
        self.type = ModelType.of(type)
    }
}

/// The place of one property of a model class, found once per class by generated code.
public struct _ModelSlot: Sendable {
    let property: SlotProperty

    /// - Parameter name: the property's name as it stands in `schemaMetadata`.
    public init(_ name: String, in type: any PersistentModel.Type) {
        property = SlotProperty(ModelType.of(type).property(named: name), named: name, of: type)
    }

    var first: Int { property.slots.lowerBound }
}

/// What accessors need of a property. A class, so that a slot is one word.
final class SlotProperty: @unchecked Sendable {  // Constants; a default value is only ever copied out.
    let name: String
    let slots: Range<Int>
    let relationshipIndex: Int
    let codec: (any AttributeCodec)?
    let defaultValue: Any?

    init(_ property: ModelProperty?, named name: String, of type: any PersistentModel.Type) {
        guard let property else {
            // Reached only when a class's generated metadata was replaced by hand and lacks one of its own properties,
            // or when the property's type can be stored in no way.
            fatalError(
                "'\(type).\(name)' cannot be stored: its type is neither Codable nor a model. "
                    + "Make it Codable or mark it @Transient.")
        }
        self.name = name
        slots = property.slots
        relationshipIndex = property.relationshipIndex ?? -1
        defaultValue = property.defaultValue
        if case .attribute(let codec) = property.kind { self.codec = codec } else { codec = nil }
    }

    func relationship(of record: Record) -> EntityRelationship? {
        let relationships = record.entity.relationships
        return relationships.indices.contains(relationshipIndex) ? relationships[relationshipIndex] : nil
    }
}

/// Takes the place of a persisted property's own storage.
public struct _NoStorage: Sendable {
    public init() {}
}
