import Foundation
import ObjectGraph

/// Captured values in the form of the columns that they are compared with.
enum PredicateConstant {
    /// The value with all levels of optionals unwrapped.
    static func flattened(_ value: Any) -> Any? {
        (value as? any FlattenedOptional).map(\.flattened) ?? value
    }

    /// - Parameters:
    ///   - type: The value's static type, optional or not.
    ///   - codec: The codec of the attribute that the value is compared with, if known.
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

    /// The value of a constant that has one column.
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

/// Any optional, to unwrap one whose type is unknown.
private protocol FlattenedOptional {
    var flattened: Any? { get }
}

extension Optional: FlattenedOptional {
    var flattened: Any? { flatMap { PredicateConstant.flattened($0) } }
}

extension AttributeCodec {
    /// Whether equal values may have different columns, because those contain an archive or JSON.
    var isOpaque: Bool {
        if self is any OpaqueCodec { return true }
        return (self as? any CompoundCodec)?.parts.contains(where: \.isOpaque) ?? false
    }

    /// The codec of the enum, struct or scalar, without that of the optional.
    var unwrapped: any AttributeCodec {
        (self as? any OptionalAttributeCodec)?.wrapped.unwrapped ?? self
    }
}

/// Codecs whose columns do not determine equality or order.
private protocol OpaqueCodec: AttributeCodec {}
extension CodableCodec: OpaqueCodec {}
extension JSONCodec: OpaqueCodec {}
extension KeyedArchiveCodec: OpaqueCodec {}
extension TransformerCodec: OpaqueCodec {}
extension PayloadEnumCodec: OpaqueCodec {}

/// Codecs composed of others.
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
    /// Whether the operand is an attribute whose columns do not determine equality and order, only whether it is nil.
    var isOpaque: Bool { codec?.isOpaque ?? false }
}
