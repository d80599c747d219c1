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

    /// The request of the bulk delete, which leaves out the links that the updates write.
    package func bulkRequest(_ model: Model) -> DeleteRequest? {
        var request = bulkDelete
        request?.rewrittenLinks.merge(rowsWithRewrittenLinks(model)) { $0.union($1) }
        return request
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
        let linked = LateLink.followed(linksTo(deleted, model))
        if !linked.isEmpty { throw StaleRow(deleted: linked) }
    }

    /// Returns the written links of surviving rows to these.
    private func linksTo(_ deleted: RowSet, _ model: Model) -> [LateLink] {
        var found: [LateLink] = []
        for insertion in insertions {
            let entity = model[insertion.entityIndex]
            found += Self.links(insertion.values, entity.slots.indices, entity, to: deleted)
        }
        for update in updates where !deleted.contains(update.id) {
            found += Self.links(update.values, update.changedSlots, model[update.entityIndex], to: deleted)
        }
        for link in links where !link.added.isEmpty {
            let relationships = model[link.ownerEntityIndex].relationships
            guard relationships.indices.contains(link.relationshipIndex) else { continue }
            let relationship = relationships[link.relationshipIndex]
            if deleted.contains(link.owner) {
                if link.added.allSatisfy(deleted.contains) { continue }
                found.append(LateLink(.owner, link.owner, along: relationship))
            } else {
                found += link.added.filter(deleted.contains).map { LateLink(.destination, $0, along: relationship) }
            }
        }
        return found
    }

    private static func links(
        _ values: SlotValues, _ slots: some Sequence<Int>, _ entity: Entity, to deleted: RowSet
    ) -> [LateLink] {
        slots.compactMap { slot in
            guard entity.slots.indices.contains(slot), case .toOne(let index) = entity.slots[slot],
                values.indices.contains(slot), case .reference(let id) = values[slot], deleted.contains(id)
            else { return nil }
            return LateLink(.destination, id, along: entity.relationships[index])
        }
    }
}
