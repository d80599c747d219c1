import Foundation
import ObjectGraph

/// Encodes values as consecutive bytes, for a table with rows of any entity: a tag for each value, and its content. Read
/// only by the process that wrote them. Does not support references.
struct ValueBytes {
    private(set) var bytes = Data()

    enum Tag: UInt8 {
        case null, integer, real, text, bytes, uuid, decimal
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null, .reference: bytes.append(Tag.null.rawValue)
        case .integer(let number): append(.integer, number)
        case .real(let number): append(.real, number)
        case .text(let text):
            append(.text, text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .bytes(let data):
            append(.bytes, data.count)
            bytes.append(data)
        case .uuid(let uuid): append(.uuid, uuid.uuid)
        case .decimal(let number): append(.decimal, number)
        }
    }

    private mutating func append<Content>(_ tag: Tag, _ content: Content) {
        bytes.append(tag.rawValue)
        withUnsafeBytes(of: content) { bytes.append(contentsOf: $0) }
    }
}

/// Decodes bytes written by `ValueBytes`, from memory that it does not own.
struct ValueBytesReader {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// - Returns: `nil` at the end.
    mutating func next() -> Value? {
        guard let tag = take(UInt8.self).flatMap(ValueBytes.Tag.init) else { return nil }
        return switch tag {
        case .null: .null
        case .integer: take(Int64.self).map(Value.integer)
        case .real: take(Double.self).map(Value.real)
        case .text: takeBytes().map { .text(String(decoding: $0, as: UTF8.self)) }
        case .bytes: takeBytes().map { .bytes(Data($0)) }
        case .uuid: take(uuid_t.self).map { .uuid(UUID(uuid: $0)) }
        case .decimal: take(Decimal.self).map(Value.decimal)
        }
    }

    private mutating func take<Content>(_ type: Content.Type) -> Content? {
        guard rest.count >= MemoryLayout<Content>.size else { return nil }
        defer { skip(MemoryLayout<Content>.size) }
        return withUnsafeTemporaryAllocation(of: Content.self, capacity: 1) { place in
            UnsafeMutableRawBufferPointer(place).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest.prefix(MemoryLayout<Content>.size)))
            return place[0]
        }
    }

    private mutating func takeBytes() -> UnsafeRawBufferPointer? {
        guard let count = take(Int.self), count >= 0, count <= rest.count else { return nil }
        defer { skip(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    private mutating func skip(_ count: Int) { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
}
