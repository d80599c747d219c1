/// Copies of the unsaved changes with the states of their objects, to restore them if a save fails after conflicts were
/// resolved.
extension UnsavedChanges {
    /// The state of one object with unsaved changes.
    struct RecordState {
        let record: Record
        /// The only reference to the object after it has left the graph.
        let object: AnyObject?
        let status: Record.Status
        let values: SlotValues
        let committed: SlotValues?
        let version: RowVersion
        let toMany: [ToManyMembers]

        init(_ record: Record) {
            self.record = record
            object = record.object
            status = record.status
            values = record.values
            committed = record.committed
            version = record.version
            toMany = record.toMany
        }
    }
}

extension Graph {
    /// A copy of the unsaved changes that can be restored.
    /// - Complexity: O(n) in the number of objects with unsaved changes.
    package var unsavedState: UnsavedChanges {
        resolveWhenAsked()
        var state = unsaved
        state.states = unsaved.listed.filter { $0.hasChanges && $0.graph === self }.map(UnsavedChanges.RecordState.init)
        return state
    }

    /// Restores the state. Objects that had no unsaved changes then get their last saved state.
    package func putBack(_ state: UnsavedChanges) {
        let known = Set(state.states.map { ObjectIdentifier($0.record) })
        for record in unsaved.listed
        where record.hasChanges && record.graph === self && !known.contains(ObjectIdentifier(record)) {
            record.isInserted ? leave(record, as: .rolledBack) : restore(record)
        }
        for state in state.states { putBack(state) }
        unsaved = state
        unsaved.states = []
    }

    private func putBack(_ state: UnsavedChanges.RecordState) {
        let record = state.record
        record.observer?.willChange(record, relationship: nil)
        // The current event is kept, and values read since are newer than the restored ones.
        let isInEvent = record.status.contains(.inEvent)
        let isStale = record.status.contains(.stale) || record.version != state.version
        record.status = state.status
        record.status.remove(.stale)
        if isStale { noteStale(record) }
        if isInEvent { record.status.insert(.inEvent) } else { record.status.remove(.inEvent) }
        record.values = state.values
        record.committed = state.committed
        record.version = state.version
        record.toMany = state.toMany
        if record.graph !== self {
            record.graph = self
            record.object = state.object
            identityMap.insert(record)
        }
        log.followed?.note(record, .all)
        record.observer?.didChange(record, relationship: nil)
    }
}
