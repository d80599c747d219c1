/// A copy of the unsaved changes, to restore them if a save fails after conflicts were resolved.
package struct UnsavedState {
    fileprivate let entries: [Entry]
    fileprivate let changes: UnsavedChanges

    /// One object with unsaved changes.
    fileprivate struct Entry {
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
    /// - Complexity: O(n) in the number of objects with unsaved changes.
    package var unsavedState: UnsavedState {
        resolveWhenAsked()
        return UnsavedState(
            entries: unsaved.listed.filter { $0.hasChanges && $0.graph === self }.map(UnsavedState.Entry.init),
            changes: unsaved)
    }

    /// Restores the state. Objects that had no unsaved changes then get their last saved state.
    package func putBack(_ state: UnsavedState) {
        let known = Set(state.entries.map { ObjectIdentifier($0.record) })
        for record in unsaved.listed
        where record.hasChanges && record.graph === self && !known.contains(ObjectIdentifier(record)) {
            record.isInserted ? discardUnsaved(record) : restore(record)
        }
        for entry in state.entries { putBack(entry) }
        unsaved = state.changes
    }

    private func putBack(_ entry: UnsavedState.Entry) {
        let record = entry.record
        log.followed?.note(record, .all)
        record.observer?.willChange(record, relationship: nil)
        // The current event is kept, and values read since are newer than the restored ones.
        let isInEvent = record.status.contains(.inEvent)
        let isStale = record.status.contains(.stale) || record.version != entry.version
        record.status = entry.status
        record.status.remove(.stale)
        if isStale { noteStale(record) }
        if isInEvent { record.status.insert(.inEvent) } else { record.status.remove(.inEvent) }
        record.values = entry.values
        record.committed = entry.committed
        record.version = entry.version
        record.toMany = entry.toMany
        if record.graph !== self {
            record.graph = self
            record.object = entry.object
            identityMap.insert(record)
        }
        record.observer?.didChange(record, relationship: nil)
    }
}
