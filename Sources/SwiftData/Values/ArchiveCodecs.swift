import AppleFormats
import Foundation
import FoundationAdditions
import ObjectGraph

/// `Codable` values without columns of their own: JSON in one binary leaf, as Apple's files have for collections inside a
/// struct.
struct JSONCodec<Coded: Codable>: AttributeCodec {
    var valueType: any Any.Type { Coded.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        Attribute(name, .binary, optional: isOptional)
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        guard let json = StoredJSON.data(of: source.assumingMemoryBound(to: Coded.self).pointee) else { return false }
        values.append(.bytes(json))
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard case .bytes(let json)? = values.first, let value = StoredJSON.value(of: Coded.self, in: json)
        else {
            return false
        }
        destination.initializeMemory(as: Coded.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        for json in ["[]", "{}", "\"\"", "0", "false"] {
            guard let value = StoredJSON.value(of: Coded.self, in: Data(json.utf8)) else { continue }
            destination.initializeMemory(as: Coded.self, to: value)
            return true
        }
        return false
    }
}

/// Collections of plain values directly on a model: a keyed archive of the Foundation collection, as Apple's default
/// transformer writes it. Sets are archived as arrays.
struct KeyedArchiveCodec<Coded: Codable>: AttributeCodec {
    var valueType: any Any.Type { Coded.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .transformable, optional: isOptional)
        attribute.transformerName = "NSSecureUnarchiveFromData"
        return attribute
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        guard let data = KeyedArchive.data(of: source.assumingMemoryBound(to: Coded.self).pointee) else { return false }
        values.append(.bytes(data))
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard case .bytes(let data)? = values.first, let value = KeyedArchive.value(of: Coded.self, in: data) else {
            return false
        }
        destination.initializeMemory(as: Coded.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        JSONCodec<Coded>().placeholder(into: destination)
    }
}

/// A value that a registered `ValueTransformer` converts to bytes and back.
struct TransformerCodec<Transformed>: AttributeCodec {
    let transformerName: String

    var valueType: any Any.Type { Transformed.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        var attribute = Attribute(name, .transformable, optional: isOptional)
        attribute.transformerName = transformerName
        return attribute
    }

    private var transformer: ValueTransformer? {
        ValueTransformer(forName: NSValueTransformerName(transformerName))
    }

    /// Only nil is stored as null; a transformer that is not registered, or rejects the value, writes nothing.
    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        let value = source.assumingMemoryBound(to: Transformed.self).pointee
        if let data = transformer?.storedForm(of: value) as? Data {
            values.append(.bytes(data))
            return true
        }
        guard let optional = Transformed.self as? any OptionalType.Type, optional.isNil(value) else { return false }
        values.append(.null)
        return true
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard case .bytes(let data)? = values.first,
            let value = value(of: data) as? Transformed
        else { return placeholder(into: destination) }
        destination.initializeMemory(as: Transformed.self, to: value)
        return true
    }

    /// Archives are read and written anew before Foundation's reader gets them, which trusts its input.
    private func value(of data: Data) -> Any? {
        guard let transformer, transformer is NSSecureUnarchiveFromDataTransformer else {
            return transformer?.value(fromStored: data)
        }
        return (try? ColumnArchive.rewritten(data)).flatMap { transformer.value(fromStored: $0) }
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        guard let none = Optional<Any>.none as? Transformed else { return false }
        destination.initializeMemory(as: Transformed.self, to: none)
        return true
    }
}
