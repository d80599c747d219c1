/// A changed object, with its former values.
package struct TouchedRecord {
    package let record: Record
    /// The face's object. Nothing else may keep it alive.
    package let object: AnyObject?
    /// In slot order; empty for an object that was a fault or new.
    package let before: SlotValues
    /// Whether the object was inserted.
    package let isNew: Bool
}

/// A member that a to-many relationship gained or lost.
struct TouchedMember {
    let owner: Record
    let relationshipIndex: Int
    var member: ObjectID
    let isAddition: Bool
}

extension Graph {
    enum Touch {
        case insertion
        case change
    }

    func touch(_ record: Record, _ kind: Touch = .change) {
        guard tracksTouched, !record.status.contains(.touched) else { return }
        record.status.insert(.touched)
        if !isTouched { face?.graphWasTouched() }
        eventLog.current.append(
            TouchedRecord(
                record: record, object: record.object, before: kind == .insertion ? [] : record.values,
                isNew: kind == .insertion))
    }

    /// Records that a link was made or broken, including members of to-many relationships.
    func touchMember(_ member: ObjectID, _ relationship: EntityRelationship, of owner: Record, isAddition: Bool) {
        guard tracksTouched, relationship.toManyIndex != nil else { return }
        eventLog.current.append(
            TouchedMember(
                owner: owner, relationshipIndex: relationship.index, member: member, isAddition: isAddition))
    }

    /// Whether any object was inserted, edited or marked for deletion since the current event began.
    package var isTouched: Bool { !eventLog.current.records.isEmpty }

    /// Returns the changed objects, and begins another event.
    package func takeTouched() -> [TouchedRecord] {
        let list = eventLog.current.records
        eventLog.current = TouchedEvent()
        for entry in list { entry.record.status.remove(.touched) }
        return list
    }

    /// Passes the changed objects to a block that notifies observers, and begins another event. Within the block, the
    /// objects still belong to the current event.
    package func takeTouched<Result>(telling body: ([TouchedRecord]) throws -> Result) rethrows -> Result {
        let outer = eventLog.announced
        defer { eventLog.announced = outer }
        eventLog.announced = eventLog.current
        return try body(takeTouched())
    }

    /// Returns the values of an object before the current event; `nil` if it did not change in it.
    package func valuesBeforeEvent(of record: Record) -> SlotValues? { eventLog.valuesBefore(record) }
}
