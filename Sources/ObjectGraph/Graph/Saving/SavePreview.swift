/// The changes that a save would write, and its validation errors, determined without saving. The store may find
/// further errors: conflicts with changed rows, and violations of uniqueness constraints.
package struct SavePreview: Sendable {
    package let changes: ChangeSet
    /// The validation errors of the unsaved changes.
    package let errors: [ValidationError]
    /// Edited to-many relationships, in any storage.
    package let members: [ChangeSet.LinkChange]
}

extension Graph {
    /// Returns the change set of the unsaved changes, as `save` would pass it to the store.
    /// - Throws: `SaveError.editsLost`, `DeleteError.refused`, errors of refused edits, and errors of reading members
    ///   to count them.
    package func savePreview(author: String?) throws -> SavePreview {
        guard unsaved.unreadable.isEmpty else {
            throw SaveError.editsLost(unsaved.unreadable.sorted().prefix(5).map { $0 }, count: unsaved.unreadable.count)
        }
        resolveWhenAsked()
        try throwRefused()
        try refuseDeniedBulkDeletes()
        let errors = try validationErrors().flatMap(\.single)
        let work = SaveRecords(graph: self, author: author)
        let members = work.updated.flatMap { record in
            record.entity.toManyRelationships.compactMap { relationship -> ChangeSet.LinkChange? in
                guard let index = relationship.toManyIndex, !record.toMany.isEmpty, record.members(index).isEdited
                else { return nil }
                let members = record.members(index)
                return ChangeSet.LinkChange(
                    owner: record.id, ownerEntityIndex: record.entity.index, relationshipIndex: relationship.index,
                    added: members.added.all, removed: members.removed.all)
            }
        }
        return SavePreview(changes: work.changes, errors: errors, members: members)
    }
}

extension ValidationError {
    fileprivate var single: [ValidationError] {
        if case .several(let errors) = self { errors.flatMap(\.single) } else { [self] }
    }
}
