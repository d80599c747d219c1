/// The changed objects, each once, and members added and removed. Fast for observers that look up each of many objects.
struct EventChanges {
    private(set) var records: [ChangedRecord] = []
    private(set) var members: [ChangedMember] = []
    private var places: [ObjectIdentifier: Int]?
    private var membersByOwner: [ObjectIdentifier: [ChangedMember]]?

    mutating func append(_ record: ChangedRecord) { records.append(record) }
    mutating func append(_ member: ChangedMember) { members.append(member) }

    mutating func entry(of record: Record) -> ChangedRecord? {
        if records.isEmpty { return nil }
        let places =
            places
            ?? Dictionary(
                records.enumerated().map { (ObjectIdentifier($1.record), $0) }, uniquingKeysWith: { first, _ in first })
        self.places = places
        return places[ObjectIdentifier(record)].map { records[$0] }
    }

    mutating func members(of owner: Record) -> [ChangedMember] {
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

extension [ChangedMember] {
    /// Replaces temporary identities of members with permanent ones.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        for index in indices {
            if let new = permanent[self[index].member] { self[index].member = new }
        }
    }
}
