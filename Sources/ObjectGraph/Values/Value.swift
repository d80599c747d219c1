import Foundation

/// One cell of a row: the value of an attribute's leaf or of a to-one relationship, for any face.
///
/// A composite attribute (a `Codable` struct, an enum) has one value for each leaf instead of one nested value, so that
/// a value corresponds to exactly one column. Dates are `.real` seconds since 2001-01-01 UTC, Booleans `.integer` 0 or
/// 1, URLs `.text`: the attribute's type determines how to interpret them.
package enum Value: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
    case uuid(UUID)
    indirect case decimal(Decimal)
    case reference(ObjectID)

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension Value {
    /// The bytes of a text or of data; eight for any other value.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        default: 8
        }
    }
}

extension Value: Hashable {
    /// Texts are equal if their stored bytes are: canonically equivalent ones differ.
    package static func == (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.text(let one), .text(let other)): one.isSame(as: other)
        case (.bytes(let one), .bytes(let other)): one == other
        case (.uuid(let one), .uuid(let other)): one == other
        case (.decimal(let one), .decimal(let other)): one == other
        case (.reference(let one), .reference(let other)): one == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number)
        // Canonically equivalent texts share a hash; `==` distinguishes them.
        case .text(let text): hasher.combine(text)
        case .bytes(let bytes): hasher.combine(bytes)
        case .uuid(let uuid): hasher.combine(uuid)
        case .decimal(let number): hasher.combine(number)
        case .reference(let id): hasher.combine(id)
        }
    }
}

extension String {
    /// Whether both have the same code units.
    fileprivate func isSame(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
