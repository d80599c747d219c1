/// Looks up values in the lists of `isMember`. Converts a long list to a set at the first use, because a query searches
/// the same list for every object.
final class MemberLists {
    /// Below this length, a linear search is as fast as hashing.
    private static let longList = 16

    /// By the address of a list's storage. The list is kept with its set, so its address cannot be reused while it is
    /// here.
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
