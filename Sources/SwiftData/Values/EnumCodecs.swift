import Foundation
import ObjectGraph

/// An enum with raw value: Apple stores it as a composite with one leaf of the property's own name.
struct RawEnumCodec<Enum: RawRepresentable>: AttributeCodec {
    let raw: any AttributeCodec

    var valueType: any Any.Type { Enum.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .composite, optional: isOptional)
        attribute.isEnum = true
        attribute.elements = [raw.attribute(named: name, isOptional: true)]
        return attribute
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        let rawValue = source.assumingMemoryBound(to: Enum.self).pointee.rawValue
        return withUnsafePointer(to: rawValue) { raw.encode(UnsafeRawPointer($0), into: &values) }
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard let rawValue = raw.decoded(values, as: Enum.RawValue.self), let value = Enum(rawValue: rawValue) else {
            return false
        }
        destination.initializeMemory(as: Enum.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        guard let first = EnumCases.first(of: Enum.self) else { return false }
        destination.initializeMemory(as: Enum.self, to: first)
        return true
    }

    func member(at keyPath: AnyKeyPath) -> (leaves: Range<Int>, codec: any AttributeCodec)? {
        EnumCases.isRawValue(keyPath, of: Enum.self) ? (0..<1, raw) : nil
    }
}

/// An enum without raw values or payloads: one text leaf per case, of which the chosen one holds its own name.
struct PlainEnumCodec<Enum>: AttributeCodec {
    let caseNames: [String]

    var valueType: any Any.Type { Enum.self }
    var leafCount: Int { caseNames.count }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .composite, optional: isOptional)
        attribute.isEnum = true
        attribute.elements = caseNames.map { Attribute($0, .string, optional: true) }
        return attribute
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        // A plain enum of up to 256 cases is one byte, the case's number; a single case takes none.
        let chosen = MemoryLayout<Enum>.size == 0 ? 0 : Int(source.load(as: UInt8.self))
        for (index, name) in caseNames.enumerated() { values.append(index == chosen ? .text(name) : .null) }
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard let index = values.enumerated().first(where: { !$0.element.isNull })?.offset,
            let value = EnumCases.plainCase(index, of: Enum.self)
        else { return false }
        destination.initializeMemory(as: Enum.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        guard let first = EnumCases.first(of: Enum.self) else { return false }
        destination.initializeMemory(as: Enum.self, to: first)
        return true
    }
}

/// An enum with payloads: one leaf per case; the chosen one holds the payload as JSON, or its name where it has none.
struct PayloadEnumCodec<Enum: Codable>: AttributeCodec {
    let payloadCases: [String]
    let plainCases: [String]

    var valueType: any Any.Type { Enum.self }
    var leafCount: Int { payloadCases.count + plainCases.count }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .composite, optional: isOptional)
        attribute.isEnum = true
        attribute.elements =
            payloadCases.map { Attribute($0, .binary, optional: true) }
            + plainCases.map { Attribute($0, .string, optional: true) }
        return attribute
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        guard let (chosen, payload) = Self.parts(of: source.assumingMemoryBound(to: Enum.self).pointee),
            payloadCases.contains(chosen) || plainCases.contains(chosen)
        else { return false }
        values += payloadCases.map { $0 == chosen ? .bytes(payload) : .null }
        values += plainCases.map { $0 == chosen ? .text($0) : .null }
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        let names = payloadCases + plainCases
        guard let (name, leaf) = zip(names, values).first(where: { !$0.1.isNull }) else { return false }
        var json = Data("{\"\(name)\":".utf8)
        if case .bytes(let payload) = leaf { json += payload } else { json += Data("{}".utf8) }
        json += Data("}".utf8)
        guard let value = StoredJSON.value(of: Enum.self, in: json) else { return false }
        destination.initializeMemory(as: Enum.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        for name in plainCases {
            guard let value = StoredJSON.value(of: Enum.self, in: Data("{\"\(name)\":{}}".utf8)) else { continue }
            destination.initializeMemory(as: Enum.self, to: value)
            return true
        }
        return false
    }

    /// The synthesised form is an object with one key, the case, and its payload as value.
    private static func parts(of value: Enum) -> (name: String, payload: Data)? {
        guard let json = StoredJSON.data(of: value),
            let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let (name, payload) = object.first, object.count == 1,
            let data = try? JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys, .fragmentsAllowed])
        else { return nil }
        return (name, data)
    }
}
