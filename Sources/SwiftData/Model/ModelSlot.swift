import ObjectGraph

/// A model class, looked up once by generated code.
public struct _ModelClass: Sendable {
    /// Never let go of, once it is known; so its use need not count references.
    private let kept: Unmanaged<ModelType>

    var type: ModelType { kept.takeUnretainedValue() }

    @inline(__always)
    func withType<Result>(_ body: (ModelType) -> Result) -> Result { kept._withUnsafeGuaranteedRef(body) }

    public init(_ type: any PersistentModel.Type) {
        kept = .passUnretained(ModelType.of(type))
    }
}

/// The place of one property of a model class, found once per class by generated code.
public struct _ModelSlot: Sendable {
    /// The property's only or first slot.
    let first: Int
    /// Position in `Entity.relationships`; -1 for an attribute.
    let relationshipIndex: Int
    /// Kept by the `ModelType`, which is never let go of; so an access need not count references.
    private let kept: Unmanaged<SlotProperty>

    var property: SlotProperty { kept.takeUnretainedValue() }

    /// - Parameter name: the property's name as it stands in `schemaMetadata`.
    public init(_ name: String, in type: any PersistentModel.Type) {
        guard let slot = ModelType.of(type).slot(named: name) else {
            // Reached only when a class's generated metadata was replaced by hand and lacks one of its own properties,
            // or when the property's type can be stored in no way.
            fatalError(
                "'\(type).\(name)' cannot be stored: its type is neither Codable nor a model. "
                    + "Make it Codable or mark it @Transient.")
        }
        self = slot
    }

    init(_ property: SlotProperty) {
        first = property.slots.lowerBound
        relationshipIndex = property.relationshipIndex
        kept = .passUnretained(property)
    }

    func relationship(of record: Record) -> EntityRelationship? {
        let relationships = record.entity.relationships
        return relationships.indices.contains(relationshipIndex) ? relationships[relationshipIndex] : nil
    }
}

/// What the slower accessors need of a property.
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

/// Takes the place of a persisted property's own storage.
public struct _NoStorage: Sendable {
    public init() {}
}
