/// Looks values up in the lists of `isMember`. A long list is turned into a set the first time, because one query asks
/// the same list once per object.
final class MemberLists {
    /// Below this many members a walk is as fast as hashing.
    private static let longList = 16

    /// By the address of a list's storage. The list is kept along with its set, so the address cannot come to mean
    /// another list while it is here.
    private var sets: [UnsafeRawPointer: (list: [Value], members: Set<ValueKey>)] = [:]

    func contains(_ value: Value, in list: [Value]) -> Bool {
        if list.count < Self.longList { return list.contains { ValueOrder.compare($0, value) == 0 } }
        let address = list.withUnsafeBytes { $0.baseAddress }
        guard let address else { return false }
        if let known = sets[address], known.list.count == list.count { return known.members.contains(ValueKey(value)) }
        let members = Set(list.map(ValueKey.init))
        sets[address] = (list, members)
        return members.contains(ValueKey(value))
    }
}
