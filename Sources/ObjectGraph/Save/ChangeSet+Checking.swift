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

extension ChangeSet.LinkChange {
    /// - Throws: `ChangeSetError.unknownEntity`, `.unknownRelationship`.
    package func relationship(in model: Model) throws -> EntityRelationship {
        let entity = try model.entity(checking: ownerEntityIndex)
        guard entity.relationships.indices.contains(relationshipIndex) else {
            throw ChangeSetError.unknownRelationship(entity: entity.name, index: relationshipIndex)
        }
        return entity.relationships[relationshipIndex]
    }
}

// MARK: - Batches

extension BatchInsert {
    /// Returns the entity of the rows.
    /// - Throws: `ChangeSetError.unknownEntity`, `.abstractEntity`.
    package func entity(in model: Model) throws -> Entity {
        let entity = try model.entity(checking: entityIndex)
        if entity.isAbstract { throw ChangeSetError.abstractEntity(entity.name) }
        return entity
    }
}

extension BatchInsert.Row {
    /// - Throws: `ChangeSetError.wrongValueCount` for a row of another entity.
    package func check(against entity: Entity) throws {
        guard values.count == entity.slots.count else {
            throw ChangeSetError.wrongValueCount(entity: entity.name, expected: entity.slots.count, found: values.count)
        }
    }
}

extension BatchUpdate {
    /// Returns the entity of the rows, which has a stored attribute for each assignment.
    /// - Throws: `ChangeSetError.unknownEntity`, `.unknownSlot`.
    package func entity(in model: Model) throws -> Entity {
        let entity = try model.entity(checking: query.entityIndex)
        for slot in assignments.map(\.slot) {
            guard entity.storedSlots.contains(slot), case .attribute = entity.slots[slot] else {
                throw ChangeSetError.unknownSlot(entity: entity.name, slot: slot)
            }
        }
        return entity
    }
}

extension Model {
    /// - Throws: `ChangeSetError.unknownEntity`.
    package func entity(checking index: Int) throws -> Entity {
        guard let entity = self.entity(at: index) else { throw ChangeSetError.unknownEntity(index: index) }
        return entity
    }
}
