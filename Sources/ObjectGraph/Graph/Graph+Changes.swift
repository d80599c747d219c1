/// Changes in events, of which observers are notified together.
extension Graph {
    /// Whether changed objects are listed in `log.event`.
    @inline(__always) var tracksEventChanges: Bool { events == .collected }

    /// - Parameter kind: `inserted` or `edited`.
    func noteEventChange(_ record: Record, _ kind: GraphChanges.Kind = .edited) {
        guard tracksEventChanges, !record.status.contains(.inEvent) else { return }
        record.status.insert(.inEvent)
        if !hasEventChanges { face?.graphDidBeginEvent() }
        log.event?.append(
            GraphChanges.Object(record, kind, record.object, before: kind == .inserted ? [] : record.values))
    }

    /// Records that a link was made or broken, including members of to-many relationships.
    func noteMemberChange(_ member: ObjectID, _ relationship: EntityRelationship, of owner: Record, isAddition: Bool) {
        guard tracksEventChanges, relationship.toManyIndex != nil else { return }
        log.event?.append(
            GraphChanges.Member(
                owner: owner, relationshipIndex: relationship.index, id: member, isAddition: isAddition))
    }

    /// Whether any object was inserted, edited or marked for deletion since the current event began.
    package var hasEventChanges: Bool { log.event?.objects.isEmpty == false }

    /// Returns the changed objects, each once, and begins another event.
    package func takeEventChanges() -> GraphChanges {
        let changes = log.event.takeAll()
        for entry in changes.objects { entry.record.status.remove(.inEvent) }
        return changes
    }

    /// Passes the changed objects to a block that notifies observers, and begins another event. Within the block, the
    /// objects still belong to the current event.
    package func takeEventChanges<Result>(notifying body: (GraphChanges) throws -> Result) rethrows -> Result {
        let outer = log.announced
        defer { log.announced = outer }
        log.announced = log.event
        return try body(takeEventChanges())
    }

    /// Returns the values of an object before the current event; `nil` if it did not change in it.
    package func valuesBeforeEvent(of record: Record) -> SlotValues? { log.valuesBefore(record) }
}
