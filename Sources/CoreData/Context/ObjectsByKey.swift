import ObjectGraph

/// Objects that were inserted, updated and deleted, by Core Data's keys, as notifications have them.
typealias ObjectsByKey = [String: Set<NSManagedObject>]

extension ObjectsByKey {
    init(inserted: Set<NSManagedObject>, updated: Set<NSManagedObject>, deleted: Set<NSManagedObject>) {
        self = [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
    }

    /// The objects that changed in an event. Those that were inserted and deleted are left out.
    init(changed: GraphChanges) {
        var (inserted, updated, deleted): (Set<NSManagedObject>, Set<NSManagedObject>, Set<NSManagedObject>) = (
            [], [], []
        )
        for entry in changed.objects {
            guard let object = entry.object as? NSManagedObject ?? entry.record.object as? NSManagedObject else {
                continue
            }
            let isOut = entry.record.isDeleted || entry.record.graph == nil
            switch (entry.kind == .inserted, isOut) {
            case (true, true): continue
            case (true, false): inserted.insert(object)
            case (false, true): deleted.insert(object)
            case (false, false): updated.insert(object)
            }
        }
        self.init(inserted: inserted, updated: updated, deleted: deleted)
    }

    /// The objects that a save would write.
    init(unsavedIn context: NSManagedObjectContext) {
        self.init(inserted: context.insertedObjects, updated: context.updatedObjects, deleted: context.deletedObjects)
    }

    var inserted: Set<NSManagedObject> { self[NSInsertedObjectsKey] ?? [] }
    var updated: Set<NSManagedObject> { self[NSUpdatedObjectsKey] ?? [] }
    var deleted: Set<NSManagedObject> { self[NSDeletedObjectsKey] ?? [] }

    /// The objects after a save. Resolving conflicts can change their keys: a new object may represent an existing row, or
    /// have been discarded in favor of it; an edited one may be found deleted.
    func saved(_ changes: SavedChanges, in context: NSManagedObjectContext) -> ObjectsByKey {
        let (new, gone) = (Set(changes.inserted), Set(changes.deleted))
        let kept = inserted.filter { $0.record.graph === context.graph }
        let insertions = kept.filter { new.contains($0.record.id) }
        let edited = updated.filter { $0.record.graph === context.graph }
        // Other objects that the save changed.
        let others = changes.updated.compactMap { context.registeredObject($0.id) }
        return ObjectsByKey(
            inserted: insertions, updated: kept.subtracting(insertions).union(edited).union(others),
            deleted: deleted.union(updated.subtracting(edited).filter { gone.contains($0.record.id) }))
    }
}

extension SavedChanges {
    /// The rows that a save changed besides the objects that it wrote, by the identifier keys: former partners of one-to-one
    /// relationships, which the store unlinks, and what delete rules reach in the parent only.
    func rows(besides written: ObjectsByKey) -> [String: RowSet] {
        if updatedIDs.isEmpty, bulkDeletes.isEmpty { return [:] }
        let known = RowSet(written.values.joined().map(\.record.id)).union(RowSet(inserted))
        return [
            NSUpdatedObjectIDsKey: RowSet(everyUpdatedID).subtracting(known).subtracting(deletedRows),
            NSDeletedObjectIDsKey: bulkDeletes.deleted.subtracting(known),
        ]
    }
}
