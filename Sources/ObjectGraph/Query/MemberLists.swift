import Foundation

/// Looks values up in the lists of `isMember`. A long list is turned into a set the first time, because one query asks
/// the same list once per object.
final class MemberLists {
    /// Below this many members a walk is as fast as hashing.
    private static let longList = 16

    /// By the address of a list's storage. The list is kept along with its set, so the address cannot come to mean
    /// another list while it is here.
    private var sets: [UnsafeRawPointer: (list: [Value], members: Set<MemberKey>)] = [:]

    func contains(_ value: Value, in list: [Value]) -> Bool {
        if list.count < Self.longList { return list.contains { ValueOrder.compare($0, value) == 0 } }
        let address = list.withUnsafeBytes { $0.baseAddress }
        guard let address else { return false }
        if let known = sets[address], known.list.count == list.count { return known.members.contains(MemberKey(value)) }
        let members = Set(list.map(MemberKey.init))
        sets[address] = (list, members)
        return members.contains(MemberKey(value))
    }
}

/// A value in a form in which equal values, as `ValueOrder` has it, are equal and hash alike.
private enum MemberKey: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(ContiguousArray<UInt8>)
    case bytes(Data)
    case reference(ObjectID)

    init(_ value: Value) {
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
