/// Changes until observers have been notified of them.
struct EventLog {
    /// Changes without a notification yet.
    var current = EventChanges()
    /// Changes that observers are being notified of.
    var announced = EventChanges()

    /// Returns the values of an object before the event; `nil` if it did not change in it.
    mutating func valuesBefore(_ record: Record) -> SlotValues? {
        (announced.entry(of: record) ?? current.records.first { $0.record === record })?.before
    }

    /// Returns the added and removed members of an object's relationships, in order.
    mutating func members(of owner: Record) -> [ChangedMember] {
        announced.members(of: owner) + current.members.filter { $0.owner === owner }
    }

    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        current.rename(permanent)
        announced.rename(permanent)
    }
}
