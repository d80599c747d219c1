/// An object that was touched, with the values it had before.
package struct TouchedRecord {
    package let record: Record
    /// The face's object, which nothing else may keep alive.
    package let object: AnyObject?
    /// In slot order; empty for an object that was a fault or new.
    package let before: SlotValues
    /// Whether it was inserted.
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

    /// A link was made or broken; members of to-many relationships are noted.
    func touchMember(_ member: ObjectID, _ relationship: EntityRelationship, of owner: Record, isAddition: Bool) {
        guard tracksTouched, relationship.toManyIndex != nil else { return }
        eventLog.current.append(
            TouchedMember(
                owner: owner, relationshipIndex: relationship.index, member: member, isAddition: isAddition))
    }

    /// Whether any object was inserted, edited or marked for deletion since the current event began.
    package var isTouched: Bool { !eventLog.current.records.isEmpty }

    /// The objects that were touched; another event begins.
    package func takeTouched() -> [TouchedRecord] {
        let list = eventLog.current.records
        eventLog.current = TouchedEvent()
        for entry in list { entry.record.status.remove(.touched) }
        return list
    }

    /// The same. While the body notifies of it, it is part of the current event still.
    package func takeTouched<Result>(telling body: ([TouchedRecord]) throws -> Result) rethrows -> Result {
        let outer = eventLog.announced
        defer { eventLog.announced = outer }
        eventLog.announced = eventLog.current
        return try body(takeTouched())
    }

    /// Values that an object had before the current event; `nil` where it was not touched in it.
    package func valuesBeforeEvent(of record: Record) -> SlotValues? { eventLog.valuesBefore(record) }
}
