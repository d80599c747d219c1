/// The links of a change set, for deletions planned in its transaction.
extension ChangeSet {
    /// Returns the rows whose relationships the updates write, by position in `Entity.relationships`.
    package func rowsWithRewrittenLinks(_ model: Model) -> [Int: RowSet] {
        var ids: [Int: [ObjectID]] = [:]
        for update in updates {
            let entity = model[update.entityIndex]
            for slot in update.changedSlots where entity.slots.indices.contains(slot) {
                if case .toOne(let index) = entity.slots[slot] { ids[index, default: []].append(update.id) }
            }
            for index in update.changedToMany { ids[index, default: []].append(update.id) }
        }
        return ids.mapValues { RowSet($0) }
    }

    /// Removed members of relationships of stored rows.
    package var lostLinks: [LinkChange] {
        links.compactMap { link in
            var lost = link
            lost.removed.removeAll(where: \.isTemporary)
            lost.added = []
            lost.order = nil
            return link.owner.isTemporary || lost.removed.isEmpty ? nil : lost
        }
    }

    /// Refuses to link rows that the bulk delete of this transaction deletes. The saving context treated them as
    /// survivors, and must resolve the conflict.
    /// - Throws: `StaleRow`.
    package func refuseLinks(to deleted: RowSet, _ model: Model) throws {
        if deleted.isEmpty { return }
        let linked = linkedRows(among: deleted, model)
        if !linked.isEmpty { throw StaleRow(deleted: linked) }
    }

    /// Returns deleted rows that the change set links to others along relationships that delete rules follow.
    private func linkedRows(among deleted: RowSet, _ model: Model) -> Set<ObjectID> {
        var linked: Set<ObjectID> = []
        for insertion in insertions {
            let entity = model[insertion.entityIndex]
            linked.formUnion(Self.destinations(insertion.values, entity.slots.indices, entity, model))
        }
        for update in updates where !deleted.contains(update.id) {
            linked.formUnion(
                Self.destinations(update.values, update.changedSlots, model[update.entityIndex], model))
        }
        for link in links where !link.added.isEmpty {
            let relationships = model[link.ownerEntityIndex].relationships
            guard relationships.indices.contains(link.relationshipIndex),
                relationships[link.relationshipIndex].destinationDelete != .leavesLinks
            else { continue }
            linked.formUnion(link.added + [link.owner])
        }
        return linked.filter(deleted.contains)
    }

    private static func destinations(
        _ values: SlotValues, _ slots: some Sequence<Int>, _ entity: Entity, _ model: Model
    ) -> [ObjectID] {
        slots.compactMap { slot in
            guard entity.slots.indices.contains(slot), case .toOne(let index) = entity.slots[slot],
                entity.relationships[index].destinationDelete != .leavesLinks, values.indices.contains(slot),
                case .reference(let id) = values[slot]
            else { return nil }
            return id
        }
    }
}
