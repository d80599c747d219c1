/// The changes of a graph for each of its readers, since the reader last took them. Nothing is listed without readers.
struct GraphLog {
    /// Changes that observers of events have not been notified of; `nil` unless events are collected.
    var event: GraphChanges?
    /// Changes that observers of events are being notified of.
    var announced: GraphChanges?
    /// Changes since the follower of queries last looked; `nil` without one.
    var followed: GraphChanges?
    private var follower: ObjectIdentifier?
    private weak var renamingReader: (any RenamingReader)?
    /// An edit that observers are being notified of before the value is set.
    var edit: (record: Record, mask: PropertyMask)?
    /// Whether objects are being read because they have changed, so that newer values are no further change.
    var isReading = false

    // MARK: Events

    /// Returns the values of an object before the event; `nil` if it did not change in it.
    mutating func valuesBefore(_ record: Record) -> SlotValues? {
        (announced?.entry(of: record) ?? event?.objects.first { $0.record === record })?.before
    }

    /// Returns the added and removed members of an object's relationships, in order.
    mutating func members(of owner: Record) -> [GraphChanges.Member] {
        (announced?.members(of: owner) ?? []) + (event?.members.filter { $0.owner === owner } ?? [])
    }

    mutating func rename(_ permanent: [ObjectID: ObjectID]) {
        event?.rename(permanent)
        announced?.rename(permanent)
    }

    // MARK: The follower of queries

    /// Starts to list changes for a follower, which replaces an earlier one.
    mutating func follow(_ reader: any RenamingReader) {
        (follower, renamingReader) = (ObjectIdentifier(reader), reader)
        followed = GraphChanges()
        // An observer may start to follow queries in the middle of an edit, with the value before it.
        if let edit { followed?.note(edit.record, edit.mask) }
    }

    mutating func unfollow(_ id: ObjectIdentifier) {
        guard follower == id else { return }
        (follower, followed) = (nil, nil)
    }

    /// Call this when the record's identity has changed. Identities are passed on at once if there are too many to list: a
    /// reader that keeps objects by their former ones would lose these.
    mutating func noteRenamed(_ record: Record, from former: ObjectID) {
        let surplus = followed?.noteRenamed(record, from: former) ?? []
        if !surplus.isEmpty { renamingReader?.note(surplus) }
    }

    func hasChanges(for id: ObjectIdentifier) -> Bool { follower == id && followed?.isEmpty == false }

    mutating func take(for id: ObjectIdentifier) -> GraphChanges {
        follower == id ? followed.takeAll() : GraphChanges()
    }
}

/// A follower of a graph that keeps objects by their former identities.
protocol RenamingReader: AnyObject {
    /// Notes objects whose identity has changed, and which are not listed among the changes.
    func note(_ renamings: [GraphChanges.Renaming])
}

extension GraphChanges? {
    /// Returns the changes since the last call.
    mutating func takeAll() -> GraphChanges {
        guard let changes = self else { return GraphChanges() }
        self = GraphChanges()
        return changes
    }
}
