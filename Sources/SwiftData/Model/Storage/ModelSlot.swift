import ObjectGraph

/// A model class, looked up once. For generated code.
public struct _ModelClass: Sendable {
    /// Never released, so its use does not count references.
    private let unmanaged: Unmanaged<ModelType>

    var type: ModelType { unmanaged.takeUnretainedValue() }

    @inline(__always)
    func withType<Result>(_ body: (ModelType) -> Result) -> Result { unmanaged._withUnsafeGuaranteedRef(body) }

    /// Looks up a model class.
    /// - Parameter type: The class.
    public init(_ type: any PersistentModel.Type) {
        unmanaged = .passUnretained(ModelType.of(type))
    }
}

/// The slot of one property of a model class, looked up once per class. For generated code.
public struct _ModelSlot: Sendable {
    /// The property's only or first slot.
    let first: Int
    /// The index in `Entity.relationships`; -1 for an attribute.
    let relationshipIndex: Int
    /// Retained by the `ModelType`, which is never released, so an access does not count references.
    private let unmanaged: Unmanaged<SlotProperty>

    var property: SlotProperty { unmanaged.takeUnretainedValue() }

    /// Looks up a property of a model class. Ends the process if the class has no such stored property.
    /// - Parameters:
    ///   - name: The property's name in `schemaMetadata`.
    ///   - type: The class.
    public init(_ name: String, in type: any PersistentModel.Type) {
        guard let slot = ModelType.of(type).slot(named: name) else {
            // Reached only if a class's generated metadata was replaced by hand and lacks one of its own properties, or if the
            // property's type cannot be stored.
            fatalError(
                "'\(type).\(name)' cannot be stored: its type is neither Codable nor a model. "
                    + "Make it Codable or mark it @Transient.")
        }
        self = slot
    }

    init(_ property: SlotProperty) {
        first = property.slots.lowerBound
        relationshipIndex = property.relationshipIndex
        unmanaged = .passUnretained(property)
    }

    func relationship(of record: Record) -> EntityRelationship? {
        let relationships = record.entity.relationships
        return relationships.indices.contains(relationshipIndex) ? relationships[relationshipIndex] : nil
    }
}

/// The data of a property that the slower accessors need.
final class SlotProperty: @unchecked Sendable {  // Constants; a default value is only ever copied out.
    let name: String
    let slots: Range<Int>
    let relationshipIndex: Int
    let codec: (any AttributeCodec)?
    let defaultValue: Any?

    init(_ property: ModelProperty) {
        name = property.name
        slots = property.slots
        relationshipIndex = property.relationshipIndex ?? -1
        defaultValue = property.defaultValue
        if case .attribute(let codec) = property.kind { self.codec = codec } else { codec = nil }
    }
}

/// The type that replaces a persisted property's own storage. For generated code.
public struct _NoStorage: Sendable {
    /// Creates the value, which has no content.
    public init() {}
}
