/// Looking up each of many objects of an event.
extension GraphChanges {
    /// Places in the lists, made when first used.
    struct Lookup {
        fileprivate var places: [ObjectIdentifier: Int]?
        fileprivate var membersByOwner: [ObjectIdentifier: [Member]]?
    }

    mutating func entry(of record: Record) -> Object? {
        if objects.isEmpty { return nil }
        let places =
            lookup.places
            ?? Dictionary(
                objects.enumerated().map { (ObjectIdentifier($1.record), $0) }, uniquingKeysWith: { first, _ in first })
        lookup.places = places
        return places[ObjectIdentifier(record)].map { objects[$0] }
    }

    mutating func members(of owner: Record) -> [Member] {
        if members.isEmpty { return [] }
        let groups = lookup.membersByOwner ?? Dictionary(grouping: members) { ObjectIdentifier($0.owner) }
        lookup.membersByOwner = groups
        return groups[ObjectIdentifier(owner)] ?? []
    }
}
