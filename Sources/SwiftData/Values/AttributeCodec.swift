import Foundation
import ObjectGraph

/// The conversion of values of one Swift type to slots and back. A codec works on memory, so that one codec serves a
/// property, a field of a struct and the payload of an optional without boxing.
protocol AttributeCodec: Sendable {
    var valueType: any Any.Type { get }
    /// Number of slots, and of columns.
    var leafCount: Int { get }

    /// The engine's attribute for a property of this type.
    func attribute(named name: String, isOptional: Bool) -> Attribute

    /// Appends `leafCount` values for the initialized value at `source`.
    /// - Returns: `false` if the value cannot be written; the appended values are then meaningless.
    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool

    /// Initializes `destination` from `leafCount` values.
    /// - Returns: `false`, with `destination` left uninitialized, if the values do not represent a value of the type.
    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool

    /// Initializes `destination` with an empty value, for a row without a value.
    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool

    /// The part of the slots at a key path rooted in this type.
    func member(at keyPath: AnyKeyPath) -> (leaves: Range<Int>, codec: any AttributeCodec)?

    /// The leaves that must be written so that slots that were read as `old` are read as `new`. The other leaves remain
    /// unchanged, and may contain more than this program understands. Leaves that make a value only together are written
    /// together.
    func leavesToWrite(from old: Slice<SlotValues>, to new: Slice<SlotValues>) -> [Bool]
}

extension AttributeCodec {
    func member(at keyPath: AnyKeyPath) -> (leaves: Range<Int>, codec: any AttributeCodec)? { nil }

    func leavesToWrite(from old: Slice<SlotValues>, to new: Slice<SlotValues>) -> [Bool] {
        Array(repeating: !old.elementsEqual(new), count: leafCount)
    }

    /// The slots' values for a value of the codec's type; `nil` if it cannot be written.
    func leaves<V>(of value: V) -> [Value]? {
        var values: [Value] = []
        values.reserveCapacity(leafCount)
        let isWritten = withUnsafePointer(to: value) { encode(UnsafeRawPointer($0), into: &values) }
        return isWritten ? values : nil
    }

    /// The slots' values for a value of unknown type; `nil` if it is not of the codec's type or cannot be written.
    func encodedAny(_ value: Any) -> [Value]? {
        func open<V>(_ type: V.Type) -> [Value]? {
            (value as? V).flatMap { leaves(of: $0) }
        }
        return _openExistential(valueType, do: open)
    }

    func decoded<V>(_ values: Slice<SlotValues>, as type: V.Type) -> V? {
        let memory = UnsafeMutablePointer<V>.allocate(capacity: 1)
        defer { memory.deallocate() }
        guard decode(values, into: memory) else { return nil }
        return memory.move()
    }

    func placeholderValue<V>(as type: V.Type) -> V? {
        let memory = UnsafeMutablePointer<V>.allocate(capacity: 1)
        defer { memory.deallocate() }
        guard placeholder(into: memory) else { return nil }
        return memory.move()
    }
}

/// A type whose values take one slot.
protocol ScalarValue: Sendable {
    static var attributeType: AttributeType { get }
    static var placeholder: Self { get }
    var slotValue: Value { get }
    init?(slotValue: Value)
}

struct ScalarCodec<Scalar: ScalarValue>: AttributeCodec {
    var valueType: any Any.Type { Scalar.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        Attribute(name, Scalar.attributeType, optional: isOptional)
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        values.append(source.assumingMemoryBound(to: Scalar.self).pointee.slotValue)
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard let first = values.first, let scalar = Scalar(slotValue: first) else { return false }
        destination.initializeMemory(as: Scalar.self, to: scalar)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        destination.initializeMemory(as: Scalar.self, to: Scalar.placeholder)
        return true
    }
}

/// Nil is all slots null.
struct OptionalCodec<Wrapped>: AttributeCodec {
    let wrapped: any AttributeCodec

    var valueType: any Any.Type { Wrapped?.self }
    var leafCount: Int { wrapped.leafCount }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        wrapped.attribute(named: name, isOptional: true)
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        if let value = source.assumingMemoryBound(to: Wrapped?.self).pointee {
            return withUnsafePointer(to: value) { wrapped.encode(UnsafeRawPointer($0), into: &values) }
        }
        for _ in 0..<leafCount { values.append(.null) }
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        let value = values.allSatisfy(\.isNull) ? nil : wrapped.decoded(values, as: Wrapped.self)
        destination.initializeMemory(as: Wrapped?.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        destination.initializeMemory(as: Wrapped?.self, to: nil)
        return true
    }

    func member(at keyPath: AnyKeyPath) -> (leaves: Range<Int>, codec: any AttributeCodec)? {
        wrapped.member(at: keyPath)
    }

    /// Between nil and a value, all leaves are written: a remaining one would make a value of nil.
    func leavesToWrite(from old: Slice<SlotValues>, to new: Slice<SlotValues>) -> [Bool] {
        if old.allSatisfy(\.isNull) != new.allSatisfy(\.isNull) { return Array(repeating: true, count: leafCount) }
        return wrapped.leavesToWrite(from: old, to: new)
    }
}
