/// A changed object, with its former values.
package struct ChangedRecord {
    package let record: Record
    /// The face's object. Nothing else may keep it alive.
    package let object: AnyObject?
    /// In slot order; empty for an object that was a fault or new.
    package let before: SlotValues
    /// Whether the object was inserted.
    package let isNew: Bool
}

/// A member that a to-many relationship gained or lost.
struct ChangedMember {
    let owner: Record
    let relationshipIndex: Int
    var member: ObjectID
    let isAddition: Bool
}

extension Graph {
    enum EventChangeKind {
        case insertion
        case change
    }

    func noteEventChange(_ record: Record, _ kind: EventChangeKind = .change) {
        guard tracksEventChanges, !record.status.contains(.inEvent) else { return }
        record.status.insert(.inEvent)
        if !hasEventChanges { face?.graphDidBeginEvent() }
        eventLog.current.append(
            ChangedRecord(
                record: record, object: record.object, before: kind == .insertion ? [] : record.values,
                isNew: kind == .insertion))
    }

    /// Records that a link was made or broken, including members of to-many relationships.
    func noteMemberChange(_ member: ObjectID, _ relationship: EntityRelationship, of owner: Record, isAddition: Bool) {
        guard tracksEventChanges, relationship.toManyIndex != nil else { return }
        eventLog.current.append(
            ChangedMember(
                owner: owner, relationshipIndex: relationship.index, member: member, isAddition: isAddition))
    }

    /// Whether any object was inserted, edited or marked for deletion since the current event began.
    package var hasEventChanges: Bool { !eventLog.current.records.isEmpty }

    /// Returns the changed objects, and begins another event.
    package func takeEventChanges() -> [ChangedRecord] {
        let list = eventLog.current.records
        eventLog.current = EventChanges()
        for entry in list { entry.record.status.remove(.inEvent) }
        return list
    }

    /// Passes the changed objects to a block that notifies observers, and begins another event. Within the block, the
    /// objects still belong to the current event.
    package func takeEventChanges<Result>(notifying body: ([ChangedRecord]) throws -> Result) rethrows -> Result {
        let outer = eventLog.announced
        defer { eventLog.announced = outer }
        eventLog.announced = eventLog.current
        return try body(takeEventChanges())
    }

    /// Returns the values of an object before the current event; `nil` if it did not change in it.
    package func valuesBeforeEvent(of record: Record) -> SlotValues? { eventLog.valuesBefore(record) }
}
