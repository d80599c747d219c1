import ObjectGraph

/// Reads the parent's objects and relationships that a child's changes concern, with a few statements for all of them. Nothing
/// is read while the changes are applied: a change of an object that cannot be read would be lost.
struct ChildChangeReading {
    private let changes: ChangeSet
    private let graph: Graph

    init(_ changes: ChangeSet, _ graph: Graph) {
        self.changes = changes
        self.graph = graph
    }

    /// The objects that the changes name, by identifier; those without a row are marked as gone.
    /// - Throws: Errors of reading the stores.
    func records() throws -> [ObjectID: Record] {
        let records: [ObjectID: Record] = named().reduce(into: [:]) { $0[$1] = graph.record(for: $1) }
        try graph.fire(Array(records.values))
        try graph.fire(parted(records))
        try readMembers(records)
        return records
    }

    private func named() -> Set<ObjectID> {
        var ids = Set(changes.updates.map(\.id) + changes.deletions.map(\.id))
        for update in changes.updates {
            ids.formUnion(update.changedSlots.lazy.compactMap { update.values[$0].destinationID })
        }
        for insertion in changes.insertions { ids.formUnion(insertion.values.lazy.compactMap(\.destinationID)) }
        for link in changes.links { ids.formUnion([link.owner] + members(of: link)) }
        return ids
    }

    private func members(of link: ChangeSet.LinkChange) -> [ObjectID] {
        link.added + link.removed + (link.order ?? [])
    }

    private func relationship(of link: ChangeSet.LinkChange) -> EntityRelationship? {
        guard let model = graph.model, model.has(link.ownerEntityIndex),
            model[link.ownerEntityIndex].relationships.indices.contains(link.relationshipIndex)
        else { return nil }
        return model[link.ownerEntityIndex].relationships[link.relationshipIndex]
    }

    /// The current destinations of the relationships that the changes redirect.
    private func parted(_ records: [ObjectID: Record]) -> [Record] {
        var ids: Set<ObjectID> = []
        for update in changes.updates {
            guard let values = records[update.id]?.values else { continue }
            ids.formUnion(update.changedSlots.lazy.filter { $0 < values.count }.compactMap { values[$0].destinationID })
        }
        for link in changes.links {
            guard let inverse = relationship(of: link)?.inverseIndex else { continue }
            for record in members(of: link).compactMap({ records[$0] }) {
                guard inverse < record.entity.relationships.count,
                    let slot = record.entity.relationships[inverse].slot, slot < record.values.count,
                    let id = record.values[slot].destinationID
                else { continue }
                ids.insert(id)
            }
        }
        return ids.compactMap(graph.record)
    }

    /// Reads the members of relationships that can be changed only once their members are known.
    private func readMembers(_ records: [ObjectID: Record]) throws {
        let links = changes.links.filter { link in
            link.order != nil || (link.added + link.removed).contains { records[$0]?.isInserted == false }
        }
        for group in Dictionary(grouping: links, by: { [$0.ownerEntityIndex, $0.relationshipIndex] }).values {
            guard let relationship = group.first.flatMap(self.relationship) else { continue }
            try graph.readMembers(of: relationship, owners: group.compactMap { records[$0.owner] })
        }
    }
}

extension Value {
    /// The destination of a to-one relationship.
    var destinationID: ObjectID? {
        guard case .reference(let id) = self else { return nil }
        return id
    }
}
