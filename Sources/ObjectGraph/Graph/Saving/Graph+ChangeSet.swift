/// The effect of a save, determined without saving. The store may find errors besides `validationErrors`: conflicts with
/// changed rows, and violations of uniqueness constraints.
extension Graph {
    /// Returns the change set of the unsaved changes, as `save` would pass it to the store.
    /// - Throws: `SaveError.editsLost`, `DeleteError.refused`, and errors of refused edits.
    package func changeSet(author: String?) throws -> ChangeSet {
        try throwUnreadable()
        resolveWhenAsked()
        try throwRefused()
        try refuseDeniedBulkDeletes()
        return SaveRecords(graph: self, author: author).changes
    }

    /// Returns the edits of an object's to-many relationships, in any storage.
    package func memberEdits(of id: ObjectID) -> [ChangeSet.LinkChange] {
        guard let record = identityMap[id], !record.toMany.isEmpty else { return [] }
        return record.entity.toManyRelationships.compactMap { relationship in
            guard let index = relationship.toManyIndex, record.members(index).isEdited else { return nil }
            let members = record.members(index)
            return ChangeSet.LinkChange(
                owner: record.id, ownerEntityIndex: record.entity.index, relationshipIndex: relationship.index,
                added: members.added.all, removed: members.removed.all)
        }
    }

    /// - Throws: `SaveError.editsLost` if an edit was not made because its row could not be read.
    func throwUnreadable() throws {
        guard !unsaved.unreadable.isEmpty else { return }
        throw SaveError.editsLost(unsaved.unreadable.sorted().prefix(5).map { $0 }, count: unsaved.unreadable.count)
    }
}
