/// Edits that cannot be made and have no caller to throw to: reported at once, and kept for the next save, which throws them
/// before anything is written. One is resolved when its object is deleted, when the relationship is given a value that is
/// accepted, or when everything is rolled back.
extension Graph {
    /// Refuses an edit of an object.
    /// - Parameter other: the object that it was to be linked with.
    func refuse(_ edit: RefusedWork.Edit, of record: Record, with other: Record? = nil, _ reason: GraphError) {
        let work = RefusedWork(edit: edit, id: record.id, reason: reason)
        unsaved.refused.add(work, of: record, with: other)
        tellOfEdit()
        tellFace()
        face?.report(SaveError.refused([work]))
    }

    /// Refuses to delete an object that another graph has, unless that takes back an edit of it that was refused.
    package func refuseDeletion(of record: Record) {
        if unsaved.refused.withdraw(record) || record.isGone { return }
        // What was never part of a graph, and has no row, has nothing to delete.
        if record.wasNeverSaved, record.graph?.isIsland ?? true { return }
        refuse(.deletion, of: record, .differentContexts(record.id))
    }

    /// - Throws: `SaveError.refused` while an edit is not resolved.
    func throwRefused() throws {
        unsaved.refused.forgetLinksOfDeleted()
        if !unsaved.refused.isEmpty { throw SaveError.refused(unsaved.refused.works) }
    }

    /// A relationship was given a value that is accepted.
    @inline(__always)
    func resolveRefused(_ relationship: EntityRelationship, of record: Record) {
        if !unsaved.refused.isEmpty { unsaved.refused.resolve(.link(relationship: relationship.name), of: record) }
    }
}
