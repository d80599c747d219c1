import Foundation

/// A hashable form of a value; equal for values that `ValueOrder` considers equal.
package enum ValueKey: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(ContiguousArray<UInt8>)
    case bytes(Data)
    case reference(ObjectID)

    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self.init(real)
        case .decimal(let decimal): self.init(decimal.storedDouble)
        case .text(let text): self = .text(ContiguousArray(text.utf8))
        case .bytes(let data): self = .bytes(data)
        case .uuid(let uuid): self = .bytes(uuid.data)
        case .reference(let id): self = .reference(id)
        }
    }

    private init(_ real: Double) {
        if real.isNaN {
            self = .null
        } else if let integer = Int64(exactly: real) {
            self = .integer(integer)
        } else {
            self = .real(real)
        }
    }
}
