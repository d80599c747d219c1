/// What a save would write, and what it would refuse, worked out without saving. The store itself may refuse more: rows that
/// changed meanwhile, and values that must be unique.
package struct SavePreview: Sendable {
    package let changes: ChangeSet
    /// Rules of the model that the unsaved work breaks.
    package let errors: [ValidationError]
    /// Edited to-many relationships, however their links are stored.
    package let members: [ChangeSet.LinkChange]
}

extension Graph {
    /// The change set of the unsaved work, as `save` would hand it to the store.
    /// - Throws: `SaveError.editsLost`, `DeleteError.refused`, errors of refused work, and what reading members that are counted
    ///   throws.
    package func savePreview(author: String?) throws -> SavePreview {
        guard unsaved.unreadable.isEmpty else {
            throw SaveError.editsLost(unsaved.unreadable.sorted().prefix(5).map { $0 }, count: unsaved.unreadable.count)
        }
        resolveWhenAsked()
        try throwRefused()
        try refuseDeniedBulkDeletes()
        let errors = try validationErrors().flatMap(\.single)
        let work = SaveWork(graph: self, author: author)
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
