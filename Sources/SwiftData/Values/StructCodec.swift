import ObjectGraph

/// A `Codable` struct: the leaves of each stored property, in the order of declaration, under the property's own name.
struct StructCodec<Struct>: AttributeCodec {
    struct Member: Sendable {
        let name: String
        let offset: Int
        let codec: any AttributeCodec
        let leaves: Range<Int>
    }

    let members: [Member]
    let leafCount: Int

    var valueType: any Any.Type { Struct.self }

    init(fields: [(field: TypeReflection.Field, codec: any AttributeCodec)]) {
        var members: [Member] = []
        var next = 0
        for (field, codec) in fields {
            let leaves = next..<next + codec.leafCount
            members.append(Member(name: field.name, offset: field.offset, codec: codec, leaves: leaves))
            next = leaves.upperBound
        }
        self.members = members
        leafCount = next
    }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .composite, optional: isOptional)
        attribute.elements = members.map { $0.codec.attribute(named: $0.name, isOptional: true) }
        return attribute
    }

    /// If one member cannot be written, the whole struct is not: a part of it would be another value.
    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        members.allSatisfy { $0.codec.encode(source + $0.offset, into: &values) }
    }

    /// A member without a value in the row gets its placeholder, so that a struct with a new property remains readable.
    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard values.count == leafCount else { return false }
        return initialize(destination) { member, memory in
            let leaves = values[
                values.startIndex + member.leaves.lowerBound..<values.startIndex + member.leaves.upperBound]
            return member.codec.decode(leaves, into: memory) || member.codec.placeholder(into: memory)
        }
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        initialize(destination) { member, memory in member.codec.placeholder(into: memory) }
    }

    private func initialize(
        _ destination: UnsafeMutableRawPointer, _ body: (Member, UnsafeMutableRawPointer) -> Bool
    ) -> Bool {
        for (index, member) in members.enumerated() where !body(member, destination + member.offset) {
            for done in members[..<index] { deinitialize(done.codec.valueType, at: destination + done.offset) }
            return false
        }
        return true
    }

    func leavesToWrite(from old: Slice<SlotValues>, to new: Slice<SlotValues>) -> [Bool] {
        guard old.count == leafCount, new.count == leafCount else { return Array(repeating: true, count: leafCount) }
        return members.flatMap { member in
            let (first, last) = (member.leaves.lowerBound, member.leaves.upperBound)
            return member.codec.leavesToWrite(
                from: old[old.startIndex + first..<old.startIndex + last],
                to: new[new.startIndex + first..<new.startIndex + last])
        }
    }

    private func deinitialize(_ type: any Any.Type, at memory: UnsafeMutableRawPointer) {
        func open<V>(_ type: V.Type) { memory.assumingMemoryBound(to: V.self).deinitialize(count: 1) }
        _openExistential(type, do: open)
    }

    func member(at keyPath: AnyKeyPath) -> (leaves: Range<Int>, codec: any AttributeCodec)? {
        guard let partial = keyPath as? PartialKeyPath<Struct>, let offset = MemoryLayout<Struct>.offset(of: partial)
        else { return nil }
        let valueType = type(of: keyPath).valueType
        for member in members where member.offset == offset && member.codec.valueType == valueType {
            return (member.leaves, member.codec)
        }
        return nil
    }
}
