/// The changed objects, each once, and members added and removed. Fast for observers that look up each of many objects.
struct TouchedEvent {
    private(set) var records: [TouchedRecord] = []
    private(set) var members: [TouchedMember] = []
    private var places: [ObjectIdentifier: Int]?
    private var membersByOwner: [ObjectIdentifier: [TouchedMember]]?

    mutating func append(_ record: TouchedRecord) { records.append(record) }
    mutating func append(_ member: TouchedMember) { members.append(member) }

    mutating func entry(of record: Record) -> TouchedRecord? {
        if records.isEmpty { return nil }
        let places =
            places
            ?? Dictionary(
                records.enumerated().map { (ObjectIdentifier($1.record), $0) }, uniquingKeysWith: { first, _ in first })
        self.places = places
        return places[ObjectIdentifier(record)].map { records[$0] }
    }

    mutating func members(of owner: Record) -> [TouchedMember] {
        if members.isEmpty { return [] }
        let groups = membersByOwner ?? Dictionary(grouping: members) { ObjectIdentifier($0.owner) }
        membersByOwner = groups
        return groups[ObjectIdentifier(owner)] ?? []
    }

    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        members.rename(permanent)
        membersByOwner = nil
    }
}

extension [TouchedMember] {
    /// Replaces temporary identities of members with permanent ones.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        for index in indices {
            if let new = permanent[self[index].member] { self[index].member = new }
        }
    }
}
