/// What is touched until observers are notified of it.
struct EventLog {
    /// Not notified of yet.
    var current = TouchedEvent()
    /// What observers are being notified of.
    var announced = TouchedEvent()

    /// Values that an object had before the event; `nil` where it was not touched in it.
    mutating func valuesBefore(_ record: Record) -> SlotValues? {
        (announced.entry(of: record) ?? current.records.first { $0.record === record })?.before
    }

    /// Members of an object's relationships that came and went, in order.
    mutating func members(of owner: Record) -> [TouchedMember] {
        announced.members(of: owner) + current.members.filter { $0.owner === owner }
    }

    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        current.rename(permanent)
        announced.rename(permanent)
    }
}

/// Objects that were touched, each once, and members that came and went meanwhile. Observers may ask about each of many objects.
struct TouchedEvent {
    private(set) var records: [TouchedRecord] = []
    fileprivate private(set) var members: [TouchedMember] = []
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
    /// Members have other identities from now on.
    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        for index in indices {
            if let new = permanent[self[index].member] { self[index].member = new }
        }
    }
}
