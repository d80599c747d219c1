import Foundation
import ObjectGraph

/// Captured values as the columns they are compared with would hold them.
enum PredicateConstant {
    /// Optionals unwrapped, however deep.
    static func flattened(_ value: Any) -> Any? {
        (value as? any FlattenedOptional).map(\.flattened) ?? value
    }

    /// - Parameters:
    ///   - type: The value's static type, optional or not.
    ///   - codec: How the value it meets is stored, where that is known.
    static func values(of constant: Any?, as type: any Any.Type, like codec: (any AttributeCodec)?) -> [Value]? {
        guard let constant else { return Array(repeating: .null, count: codec?.leafCount ?? leafCount(of: type)) }
        if let reference = reference(to: constant) { return [reference] }
        if let codec, !codec.isOpaque, let values = codec.encodedAny(constant) { return values }
        if let scalar = constant as? any ScalarValue { return [scalar.slotValue] }
        if let text = constant as? Substring { return [.text(String(text))] }
        guard let own = CodecSelection.codec(for: Swift.type(of: constant), in: .property), !own.isOpaque else {
            return nil
        }
        return own.encodedAny(constant)
    }

    /// One value for a constant that takes one column.
    static func value(of constant: Any?, as type: any Any.Type, like codec: (any AttributeCodec)?) -> Value? {
        guard let values = values(of: constant, as: type, like: codec), values.count == 1 else { return nil }
        return values.first
    }

    /// Models and identifiers are references.
    private static func reference(to constant: Any) -> Value? {
        if let identifier = constant as? PersistentIdentifier { return .reference(identifier.objectID) }
        if let model = constant as? any PersistentModel { return .reference(model.persistentModelID.objectID) }
        return nil
    }

    private static func leafCount(of type: any Any.Type) -> Int {
        CodecSelection.codec(for: type, in: .property)?.leafCount ?? 1
    }
}

/// Any optional, for unwrapping one of unknown type.
private protocol FlattenedOptional {
    var flattened: Any? { get }
}

extension Optional: FlattenedOptional {
    var flattened: Any? { flatMap { PredicateConstant.flattened($0) } }
}

extension AttributeCodec {
    /// Equal values may differ in their columns, because those hold an archive or JSON.
    var isOpaque: Bool {
        if self is any OpaqueCodec { return true }
        return (self as? any CompoundCodec)?.parts.contains(where: \.isOpaque) ?? false
    }

    /// The enum or struct or scalar, without the optional around it.
    var unwrapped: any AttributeCodec {
        (self as? any OptionalAttributeCodec)?.wrapped.unwrapped ?? self
    }
}

/// Codecs whose columns say nothing about equality or order.
private protocol OpaqueCodec: AttributeCodec {}
extension JSONCodec: OpaqueCodec {}
extension KeyedArchiveCodec: OpaqueCodec {}
extension TransformerCodec: OpaqueCodec {}
extension PayloadEnumCodec: OpaqueCodec {}

/// Codecs made of others.
private protocol CompoundCodec: AttributeCodec {
    var parts: [any AttributeCodec] { get }
}

extension OptionalCodec: CompoundCodec {
    var parts: [any AttributeCodec] { [wrapped] }
}

extension StructCodec: CompoundCodec {
    var parts: [any AttributeCodec] { members.map(\.codec) }
}

private protocol OptionalAttributeCodec: AttributeCodec {
    var wrapped: any AttributeCodec { get }
}

extension OptionalCodec: OptionalAttributeCodec {}

extension PredicateOperand {
    /// An attribute that equality and order cannot be told of by its columns; only whether it is nil.
    var isOpaque: Bool { codec?.isOpaque ?? false }
}
