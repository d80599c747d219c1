/// A part of an entity: an attribute, a relationship, or a declaration about them (index, uniqueness).
public protocol SchemaProperty: Decodable, Encodable, Hashable {
    var name: String { get set }
    /// The name in the previous version of the schema; equal to `name` when it was not renamed.
    var originalName: String { get set }
    var valueType: any Any.Type { get set }
    var isAttribute: Bool { get }
    var isRelationship: Bool { get }
    /// Observed and tracked, never stored.
    var isTransient: Bool { get }
    var isOptional: Bool { get }
    var isUnique: Bool { get }
}

extension SchemaProperty {
    public var isAttribute: Bool { false }
    public var isRelationship: Bool { false }
    public var isTransient: Bool { false }
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
