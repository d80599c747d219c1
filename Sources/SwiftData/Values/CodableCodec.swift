import Foundation
import ObjectGraph

/// A value with the option `.codable`: the JSON of its own `Codable` conformance in one binary leaf.
///
/// Apple has not published the form of such a column. Property lists are read too, so that either of Foundation's encoders may
/// have written it.
struct CodableCodec<Coded: Codable>: AttributeCodec {
    var valueType: any Any.Type { Coded.self }
    var leafCount: Int { 1 }

    func attribute(named name: String, isOptional: Bool) -> Attribute {
        Attribute(name, .binary, optional: isOptional)
    }

    func encode(_ source: UnsafeRawPointer, into values: inout [Value]) -> Bool {
        JSONCodec<Coded>().encode(source, into: &values)
    }

    func decode(_ values: Slice<SlotValues>, into destination: UnsafeMutableRawPointer) -> Bool {
        guard case .bytes(let data)? = values.first, data.starts(with: Self.propertyListMark) else {
            return JSONCodec<Coded>().decode(values, into: destination)
        }
        guard let value = try? PropertyListDecoder().decode(Coded.self, from: data) else { return false }
        destination.initializeMemory(as: Coded.self, to: value)
        return true
    }

    func placeholder(into destination: UnsafeMutableRawPointer) -> Bool {
        JSONCodec<Coded>().placeholder(into: destination)
    }

    /// The first bytes of a binary property list, with which no JSON begins.
    private static var propertyListMark: [UInt8] { Array("bplist0".utf8) }
}

/// The codec of a value that a store compares with nothing, whatever its type.
protocol WholeValueCodec: AttributeCodec {}
extension CodableCodec: WholeValueCodec {}
