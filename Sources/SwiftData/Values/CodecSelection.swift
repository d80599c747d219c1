import Foundation

/// Selects the codec of a Swift type: the form of Apple's files if it is known, else JSON.
enum CodecSelection {
    enum Place {
        case property
        /// Inside a struct, where collections are JSON.
        case member
    }

    /// `nil` for a type that cannot be stored.
    static func codec(for type: any Any.Type, in place: Place) -> (any AttributeCodec)? {
        if let scalar = type as? any ScalarValue.Type { return scalarCodec(scalar) }
        if let optional = type as? any OptionalType.Type { return optionalCodec(optional, in: place) }
        guard let codable = type as? any Codable.Type else { return nil }
        if type is any StoredCollection.Type {
            return place == .property && KeyedArchive.canHold(type) ? archiveCodec(codable) : jsonCodec(codable)
        }
        switch TypeReflection.kind(of: type) {
        case .enumeration: return enumCodec(codable) ?? jsonCodec(codable)
        case .structure: return structCodec(codable) ?? jsonCodec(codable)
        case .other: return jsonCodec(codable)
        }
    }

    /// The codec of an attribute with the option `.codable`; `nil` for a type that is not `Codable`.
    static func wholeCodec(for type: any Any.Type) -> (any AttributeCodec)? {
        if let optional = type as? any OptionalType.Type {
            guard let wrapped = wholeCodec(for: optional.wrappedType) else { return nil }
            return Self.optional(of: optional.wrappedType, wrapped)
        }
        func open<C: Codable>(_ type: C.Type) -> any AttributeCodec { CodableCodec<C>() }
        return (type as? any Codable.Type).map { open($0) }
    }

    static func transformerCodec(for type: any Any.Type, named name: String) -> any AttributeCodec {
        func open<V>(_ type: V.Type) -> any AttributeCodec { TransformerCodec<V>(transformerName: name) }
        return _openExistential(type, do: open)
    }

    private static func scalarCodec<S: ScalarValue>(_ type: S.Type) -> any AttributeCodec { ScalarCodec<S>() }
    private static func jsonCodec<C: Codable>(_ type: C.Type) -> any AttributeCodec { JSONCodec<C>() }
    private static func archiveCodec<C: Codable>(_ type: C.Type) -> any AttributeCodec { KeyedArchiveCodec<C>() }

    private static func optionalCodec(_ type: any OptionalType.Type, in place: Place) -> (any AttributeCodec)? {
        codec(for: type.wrappedType, in: place).map { optional(of: type.wrappedType, $0) }
    }

    private static func optional(of type: any Any.Type, _ wrapped: any AttributeCodec) -> any AttributeCodec {
        func open<V>(_ type: V.Type) -> any AttributeCodec { OptionalCodec<V>(wrapped: wrapped) }
        return _openExistential(type, do: open)
    }

    private static func enumCodec(_ type: any Codable.Type) -> (any AttributeCodec)? {
        if let raw = type as? any RawRepresentable.Type, let codec = rawEnumCodec(raw) { return codec }
        guard let cases = TypeReflection.cases(of: type) else { return nil }
        if cases.withPayload.isEmpty {
            guard !cases.plain.isEmpty, cases.plain.count <= 256 else { return nil }
            func open<V>(_ type: V.Type) -> any AttributeCodec { PlainEnumCodec<V>(caseNames: cases.plain) }
            return _openExistential(type, do: open)
        }
        return payloadEnumCodec(type, cases)
    }

    private static func rawEnumCodec<E: RawRepresentable>(_ type: E.Type) -> (any AttributeCodec)? {
        guard let raw = E.RawValue.self as? any ScalarValue.Type else { return nil }
        return RawEnumCodec<E>(raw: scalarCodec(raw))
    }

    private static func payloadEnumCodec<C: Codable>(
        _ type: C.Type, _ cases: (withPayload: [String], plain: [String])
    ) -> any AttributeCodec {
        PayloadEnumCodec<C>(payloadCases: cases.withPayload, plainCases: cases.plain)
    }

    private static func structCodec(_ type: any Codable.Type) -> (any AttributeCodec)? {
        guard let fields = TypeReflection.fields(of: type), !fields.isEmpty else { return nil }
        var members: [(TypeReflection.Field, any AttributeCodec)] = []
        for field in fields {
            guard let codec = codec(for: field.type, in: .member) else { return nil }
            members.append((field, codec))
        }
        func open<V>(_ type: V.Type) -> any AttributeCodec { StructCodec<V>(fields: members) }
        return _openExistential(type, do: open)
    }
}

/// Collections of values, in contrast to generic structs.
protocol StoredCollection {
    static var storedElementTypes: [any Any.Type] { get }
}

extension Array: StoredCollection {
    static var storedElementTypes: [any Any.Type] { [Element.self] }
}
extension Set: StoredCollection {
    static var storedElementTypes: [any Any.Type] { [Element.self] }
}
extension Dictionary: StoredCollection {
    static var storedElementTypes: [any Any.Type] { [Key.self, Value.self] }
}
extension ContiguousArray: StoredCollection {
    static var storedElementTypes: [any Any.Type] { [Element.self] }
}
