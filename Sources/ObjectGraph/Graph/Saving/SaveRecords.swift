/// The records of one save, and their change set.
struct SaveRecords {
    let inserted: [Record]
    /// Records with something to write, in the order of `changes.updates`.
    let updated: [Record]
    /// Records edited back to the stored values: nothing to write.
    let withoutChanges: [Record]
    let deleted: [Record]
    let changes: ChangeSet

    init(graph: Graph, author: String?) {
        inserted = graph.unsaved.inserted.keeping { !$0.isDeleted }
        deleted = graph.unsaved.deleted
        let deletes = graph.unsaved.deletes
        var updated: [Record] = []
        var withoutChanges: [Record] = []
        var changes = ChangeSet()
        changes.author = author
        changes.contextName = graph.saveOptions.contextName
        changes.constraints = graph.saveOptions.constraints
        changes.replacements = graph.saveOptions.replacements
        changes.insertions.reserveCapacity(inserted.count)
        for record in inserted {
            changes.insertions.append(
                .init(id: record.id, entityIndex: record.entity.index, values: record.values))
            changes.links += Self.links(of: record, graph)
        }
        for record in graph.unsaved.updated {
            guard let update = Self.update(of: record, storesTransients: graph.store?.storesTransients ?? false) else {
                withoutChanges.append(record)
                continue
            }
            updated.append(record)
            changes.updates.append(update)
            changes.links += Self.links(of: record, graph)
        }
        if !deletes.bulk.isEmpty {
            var request = deletes.bulk.request(author: author)
            request.observer = graph.options.deleteObserver
            let hidden = deleted.filter { deletes.bulk.deleted.contains($0.id) }
            request.rewrittenLinks = Self.rowsWithRewrittenLinks(hidden)
            changes.links += hidden.flatMap { Self.lostLinks(of: $0, graph) }
            changes.bulkDelete = request
        }
        changes.deletions.reserveCapacity(deleted.count)
        for record in deleted where deletes.isOwn(record) {
            changes.deletions.append(
                .init(id: record.id, entityIndex: record.entity.index, expectedVersion: record.version))
        }
        for record in graph.saveOptions.watched where record.graph === graph && !record.isFault && !record.hasChanges {
            changes.watched.append(
                .init(id: record.id, entityIndex: record.entity.index, expectedVersion: record.version))
        }
        self.updated = updated
        self.withoutChanges = withoutChanges
        self.changes = changes
    }

    private static func update(of record: Record, storesTransients: Bool) -> ChangeSet.Update? {
        let committed = record.committed ?? record.values
        let slots = storesTransients ? Array(record.values.indices) : record.entity.storedSlots
        let changedSlots = slots.filter { record.values[$0] != committed[$0] }
        let changedToMany =
            record.toMany.isEmpty
            ? []
            : record.entity.toManyRelationships.filter { relationship in
                relationship.toManyIndex.map { record.members($0).isEdited } ?? false
            }
        guard !changedSlots.isEmpty || !changedToMany.isEmpty else { return nil }
        return ChangeSet.Update(
            id: record.id, entityIndex: record.entity.index, expectedVersion: record.version, values: record.values,
            changedSlots: changedSlots, changedToMany: changedToMany.map(\.index))
    }

    /// Returns links that are not stored as the inverse's key. A many-to-many link is given by one of its two ends.
    private static func links(of record: Record, _ graph: Graph) -> [ChangeSet.LinkChange] {
        if record.toMany.isEmpty { return [] }
        return record.entity.toManyRelationships.compactMap { relationship in
            guard let index = relationship.toManyIndex, record.members(index).isEdited else { return nil }
            let isOrdered = relationship.relationship.isOrdered
            guard isOrdered || writesLinks(by: relationship, graph) else { return nil }
            let members = record.members(index)
            return ChangeSet.LinkChange(
                owner: record.id, ownerEntityIndex: record.entity.index, relationshipIndex: relationship.index,
                added: members.added.all, removed: members.removed.all,
                order: isOrdered ? graph.memberIDs(of: record, relationship) : nil)
        }
    }

    /// Returns rows whose relationships were edited before they were deleted by a bulk delete, by relationship: the
    /// delete rules must not follow their stored links.
    private static func rowsWithRewrittenLinks(_ records: [Record]) -> [Int: RowSet] {
        var ids: [Int: [ObjectID]] = [:]
        for record in records where record.isUpdated {
            for relationship in record.entity.relationships where record.hasLinkChanges(relationship) {
                ids[relationship.index, default: []].append(record.id)
            }
        }
        return ids.mapValues { RowSet($0) }
    }

    /// Returns members that a row lost before it was deleted by a bulk delete.
    private static func lostLinks(of record: Record, _ graph: Graph) -> [ChangeSet.LinkChange] {
        if record.toMany.isEmpty { return [] }
        return record.entity.toManyRelationships.compactMap { relationship in
            guard let index = relationship.toManyIndex, writesLinks(by: relationship, graph) else { return nil }
            let removed = record.members(index).removed.all
            if removed.isEmpty { return nil }
            return ChangeSet.LinkChange(
                owner: record.id, ownerEntityIndex: record.entity.index, relationshipIndex: relationship.index,
                added: [], removed: removed)
        }
    }

    private static func writesLinks(by relationship: EntityRelationship, _ graph: Graph) -> Bool {
        guard let inverse = graph.model?.inverse(of: relationship) else { return true }
        if inverse.isToOne { return false }
        return (relationship.declaringIndex, relationship.name) <= (inverse.declaringIndex, inverse.name)
    }
}
