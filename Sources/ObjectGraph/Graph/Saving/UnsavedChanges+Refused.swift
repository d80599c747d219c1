/// Refused edits that have not been resolved, in the order in which they were made.
extension UnsavedChanges {
    struct Refused {
        let edit: SaveError.RefusedEdit
        /// The edited object, and the one that it was to be linked to. Retained, so that their addresses are not
        /// reused, and only compared, because either may belong to another isolation.
        let record: Record
        let other: Record?
    }

    /// Replaces an earlier refusal of the same edit.
    mutating func refuse(_ edit: SaveError.RefusedEdit, of record: Record, with other: Record?) {
        refused.removeAll { $0.record === record && $0.edit.edit == edit.edit }
        refused.append(Refused(edit: edit, record: record, other: other))
    }

    /// Resolves an edit that was accepted, perhaps with another value.
    mutating func resolveRefused(_ edit: SaveError.RefusedEdit.Edit, of record: Record) {
        if refused.isEmpty { return }
        refused.removeAll { $0.record === record && $0.edit.edit == edit }
    }

    /// Removes refused links of deleted objects. The owners of links never belong to another isolation.
    mutating func discardRefusedLinksOfDeleted() {
        refused.removeAll { entry in
            guard case .link = entry.edit.edit else { return false }
            return entry.record.isDeleted || entry.record.isGone
        }
    }

    /// Removes the refused insertion of an object that is not to be inserted after all.
    /// - Returns: Whether there was one.
    mutating func withdrawRefused(_ record: Record) -> Bool {
        let count = refused.count
        refused.removeAll { $0.edit.edit != .deletion && ($0.record === record || $0.other === record) }
        return refused.count < count
    }

    /// Removes all refused edits of objects that are deleted or reverted.
    mutating func resolveAllRefused(of records: some Sequence<Record>) {
        if refused.isEmpty { return }
        for record in records {
            refused.removeAll { $0.record === record || $0.other === record || $0.edit.id == record.id }
        }
    }

    /// Moves the refused edits of these objects here from the graph that they moved from.
    mutating func takeRefused(from other: UnsavedChanges, of records: [Record]) {
        if other.refused.isEmpty { return }
        let moved = Set(records.map(ObjectIdentifier.init))
        refused += other.refused.filter { moved.contains(ObjectIdentifier($0.record)) }
    }
}
