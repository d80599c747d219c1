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

/// An enum without raw values or payloads: one text leaf for each case; that of the value's case has the case's name.
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
        // A plain enum of up to 256 cases is one byte, the case's number; a single case takes no memory.
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

/// An enum with payloads: one leaf for each case; that of the value's case has the payload as JSON, or the case's name if
/// it has no payload.
///
/// The payload is the value that synthesized coding has under the case's name. An enum that is coded otherwise, by code of
/// its own or under other keys, has the whole JSON of the value in the leaf, as the only element of an array, which no
/// synthesized payload is.
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
        guard let chosen = TypeReflection.caseNumber(of: source, Enum.self),
            let leaf = leaf(of: source.assumingMemoryBound(to: Enum.self).pointee, caseNumber: chosen)
        else { return false }
        for number in 0..<leafCount { values.append(number == chosen ? leaf : .null) }
        return true
    }

    private func leaf(of value: Enum, caseNumber: Int) -> Value? {
        if payloadCases.indices.contains(caseNumber) {
            let payload = Self.synthesizedPayload(of: value, named: payloadCases[caseNumber])
            return (payload ?? StoredJSON.data(of: [value])).map(Value.bytes)
        }
        let number = caseNumber - payloadCases.count
        return plainCases.indices.contains(number) ? .text(plainCases[number]) : nil
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard let (chosen, leaf) = values.enumerated().first(where: { !$0.element.isNull }) else { return false }
        guard payloadCases.indices.contains(chosen) else { return initialize(destination, toCase: chosen) }
        guard case .bytes(let json) = leaf, let value = value(of: json, named: payloadCases[chosen]) else {
            return false
        }
        destination.initializeMemory(as: Enum.self, to: value)
        return true
    }

    private func value(of json: Data, named name: String) -> Enum? {
        if json.first == UInt8(ascii: "["), let value = StoredJSON.value(of: [Enum].self, in: json)?.first {
            return value
        }
        let synthesized = Data("{\"\(name)\":".utf8) + json + Data("}".utf8)
        return StoredJSON.value(of: Enum.self, in: synthesized) ?? StoredJSON.value(of: Enum.self, in: json)
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        initialize(destination, toCase: payloadCases.count)
    }

    private func initialize(_ destination: UnsafeMutableRawPointer, toCase number: Int) -> Bool {
        guard number >= payloadCases.count, number < leafCount else { return false }
        return TypeReflection.initialize(destination, toPlainCase: number, of: Enum.self)
    }

    /// The synthesized form is an object with one key, the case, whose value is its payload, also an object.
    private static func synthesizedPayload(of value: Enum, named name: String) -> Data? {
        guard let json = StoredJSON.data(of: value),
            let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            object.count == 1, let payload = object[name] as? [String: Any]
        else { return nil }
        return try? JSONSerialization.data(withJSONObject: payload, options: .sortedKeys)
    }
}
