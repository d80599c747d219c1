/// Edits that are refused but cannot be thrown to a caller. They are reported at once, and thrown by the next save
/// before anything is written. One is resolved when its object is deleted, when the relationship gets an accepted
/// value, or by a rollback.
extension Graph {
    /// Records that an edit of an object was refused.
    /// - Parameter other: The object that it was to be linked to.
    func refuse(
        _ edit: SaveError.RefusedEdit.Edit, of record: Record, with other: Record? = nil, _ reason: GraphError
    ) {
        let refusedEdit = SaveError.RefusedEdit(edit: edit, id: record.id, reason: reason)
        unsaved.refuse(refusedEdit, of: record, with: other)
        notifyOfEdit()
        notifyFace()
        face?.report(SaveError.refused([refusedEdit]))
    }

    /// Refuses to delete an object of another graph, unless this reverts a refused edit of it.
    package func refuseDeletion(of record: Record) {
        if unsaved.withdrawRefused(record) || record.isGone { return }
        // An object that was never in a graph and has no row needs no deletion.
        if record.wasNeverSaved, record.graph?.isDetached ?? true { return }
        refuse(.deletion, of: record, .differentContexts(record.id))
    }

    /// - Throws: `SaveError.refused` if there is an unresolved edit.
    func throwRefused() throws {
        unsaved.discardRefusedLinksOfDeleted()
        if !unsaved.refused.isEmpty { throw SaveError.refused(unsaved.refused.map(\.edit)) }
    }

    /// Records that a relationship got an accepted value.
    @inline(__always)
    func resolveRefused(_ relationship: EntityRelationship, of record: Record) {
        if !unsaved.refused.isEmpty { unsaved.resolveRefused(.link(relationship: relationship.name), of: record) }
    }
}
