import ObjectGraph

/// Objects that were inserted, updated and deleted, as notifications name them.
struct ObjectSets {
    private(set) var inserted: Set<NSManagedObject> = []
    private(set) var updated: Set<NSManagedObject> = []
    private(set) var deleted: Set<NSManagedObject> = []

    var all: [NSManagedObject] { Array(inserted) + Array(updated) + Array(deleted) }

    /// By Core Data's keys.
    var byKey: [String: Set<NSManagedObject>] {
        [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
    }
}

extension ObjectSets {
    /// What became of objects since pending changes were last processed. Those that were inserted and deleted are left out.
    init(changed: GraphChanges) {
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
    }

    /// What a save would write.
    init(unsavedIn context: NSManagedObjectContext) {
        inserted = context.insertedObjects
        updated = context.updatedObjects
        deleted = context.deletedObjects
    }

    /// The sets after a save. Resolving conflicts can change them: a new object may represent an existing row, or have been
    /// discarded in favor of it; an edited one may be found deleted.
    func saved(_ changes: SavedChanges, in context: NSManagedObjectContext) -> ObjectSets {
        var saved = ObjectSets()
        saved.deleted = deleted
        let new = Set(changes.inserted)
        for object in inserted where object.record.graph === context.graph {
            if new.contains(object.record.id) { saved.inserted.insert(object) } else { saved.updated.insert(object) }
        }
        let gone = Set(changes.deleted)
        for object in updated {
            if object.record.graph === context.graph {
                saved.updated.insert(object)
            } else if gone.contains(object.record.id) {
                saved.deleted.insert(object)
            }
        }
        // Other objects that the save changed.
        saved.updated.formUnion(changes.updated.compactMap { context.registeredObject($0.id) })
        return saved
    }
}
