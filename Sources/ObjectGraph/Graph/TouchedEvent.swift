/// What was touched up to the moment at which observers are told of it. They may ask about each of many objects.
struct TouchedEvent {
    let records: [TouchedRecord]
    private var members: [TouchedMember]
    private var places: [ObjectIdentifier: Int]?
    private var membersByOwner: [ObjectIdentifier: [TouchedMember]]?

    init(_ records: [TouchedRecord] = [], _ members: [TouchedMember] = []) {
        self.records = records
        self.members = members
    }

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
    /// Members have other identities from now on.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        for index in indices {
            if let new = permanent[self[index].member] { self[index].member = new }
        }
    }
}
