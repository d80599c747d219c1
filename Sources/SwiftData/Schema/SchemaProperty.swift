/// A property of an entity: an attribute, a relationship, or a declaration about them (indexes, uniqueness).
public protocol SchemaProperty: Decodable, Encodable, Hashable {
    /// The name of the property.
    var name: String { get set }
    /// The name in the previous version of the schema; equal to `name` if it was not renamed.
    var originalName: String { get set }
    /// The Swift type of the property, including `Optional`.
    var valueType: any Any.Type { get set }
    /// Whether the property is an attribute.
    var isAttribute: Bool { get }
    /// Whether the property is a relationship.
    var isRelationship: Bool { get }
    /// Whether the property is observed and tracked, but not stored.
    var isTransient: Bool { get }
    /// Whether the value may be nil.
    var isOptional: Bool { get }
    /// Whether no two rows have the same value.
    var isUnique: Bool { get }
}

extension SchemaProperty {
    /// `false`, unless the property declares otherwise.
    public var isAttribute: Bool { false }
    /// `false`, unless the property declares otherwise.
    public var isRelationship: Bool { false }
    /// `false`, unless the property declares otherwise.
    public var isTransient: Bool { false }
    /// `false`, unless the property declares otherwise.
    public var isOptional: Bool { false }
}

/// A Swift type as text, for encoded schemas.
///
/// The text is the type's mangled name. A name that this program does not know decodes to `Any`.
struct EncodedType: Codable {
    let type: any Any.Type

    init(_ type: any Any.Type) { self.type = type }

    init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        type = _typeByName(name) ?? Any.self
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(_mangledTypeName(type) ?? String(reflecting: type))
    }
}

func isOptionalType(_ type: any Any.Type) -> Bool { type is any OptionalType.Type }

func withoutOptional(_ type: any Any.Type) -> any Any.Type {
    (type as? any OptionalType.Type)?.wrappedType ?? type
}
