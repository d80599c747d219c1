extension ChangeSet {
    /// Refuses a change set that does not fit a store, before anything is written.
    /// - Parameter entityIndex: Returns the entity index of a row of the store; `nil` for any other identity.
    /// - Throws: `ChangeSetError`.
    package func check(_ model: Model, entityIndex: (ObjectID) -> Int?) throws {
        try checkInsertions(model, entityIndex)
        for update in updates {
            let entity = try model.entity(checking: update.entityIndex)
            try Self.check(update.values, entity)
            for slot in update.changedSlots where !entity.slots.indices.contains(slot) {
                throw ChangeSetError.unknownSlot(entity: entity.name, slot: slot)
            }
            guard entityIndex(update.id) != nil else { throw ChangeSetError.notARow(update.id) }
        }
        for deletion in deletions {
            _ = try model.entity(checking: deletion.entityIndex)
            guard entityIndex(deletion.id) != nil else { throw ChangeSetError.notARow(deletion.id) }
        }
        for watch in watched {
            _ = try model.entity(checking: watch.entityIndex)
            guard entityIndex(watch.id) != nil else { throw ChangeSetError.notARow(watch.id) }
        }
    }

    private func checkInsertions(_ model: Model, _ entityIndex: (ObjectID) -> Int?) throws {
        var last: Entity?
        for insertion in insertions {
            let entity = try last?.index == insertion.entityIndex ? last : model.entity(checking: insertion.entityIndex)
            guard let entity else { continue }
            last = entity
            if entity.isAbstract { throw ChangeSetError.abstractEntity(entity.name) }
            if !insertion.id.isTemporary, entityIndex(insertion.id) != entity.index {
                throw ChangeSetError.notARow(insertion.id)
            }
            try Self.check(insertion.values, entity)
        }
    }

    private static func check(_ values: SlotValues, _ entity: Entity) throws {
        guard values.count == entity.slots.count else {
            throw ChangeSetError.wrongValueCount(entity: entity.name, expected: entity.slots.count, found: values.count)
        }
    }
}

extension Model {
    fileprivate func entity(checking index: Int) throws -> Entity {
        guard let entity = self.entity(at: index) else { throw ChangeSetError.unknownEntity(index: index) }
        return entity
    }
}
