import ObjectGraph

/// A child context's save as changes of its parent's objects.
///
/// Everything that can fail happens in the initialiser; `apply()` then changes all of the parent's objects.
struct ChildSave {
    private let changes: ChangeSet
    private let context: NSManagedObjectContext
    private let graph: Graph
    /// The parent's objects that the child edited, in the child's order.
    private let updated: [Record?]
    /// The parent's new objects, with their future identifiers.
    private let new: [(record: Record, id: ObjectID)]
    /// The parent's new objects by the child's identifiers.
    private let made: [ObjectID: Record]

    /// - Throws: Errors of reading the stores, and of writing them to reserve keys.
    init(_ changes: ChangeSet, _ context: NSManagedObjectContext) throws {
        self.changes = changes
        self.context = context
        graph = context.graph
        let records = changes.insertions.compactMap { insertion in
            context.core.tables.table(at: insertion.entityIndex).map { table in
                (id: insertion.id, record: Record(newObjectOf: table.entity, knownAs: insertion.id))
            }
        }
        made = Dictionary(records.map { ($0.id, $0.record) }) { first, _ in first }
        // Permanent identifiers that the child obtained before its save are kept.
        let named = records.filter { !$0.id.isTemporary }.map { (record: $0.record, id: $0.id) }
        // Before anything is read: without a store, reading would treat objects as gone.
        new = try named + context.permanentIDs(for: records.filter(\.id.isTemporary).map(\.record))
        let known = try ChildChangeReading(changes, graph).records()
        updated = changes.updates.map { known[$0.id] }
    }

    func apply() -> SavedRows {
        let versions = updated.map { $0?.versionBelow }
        insert()
        for insertion in changes.insertions {
            if let record = made[insertion.id] { set(Array(insertion.values.indices), insertion.values, record) }
        }
        for (update, record) in zip(changes.updates, updated) {
            if let record { set(update.changedSlots, update.values, record) }
        }
        for link in changes.links { apply(link) }
        var saved = saved(versions)
        saved.plan.deleted = delete()
        return saved
    }

    /// Deletes last: the delete rules follow the links that the child's edits have left.
    /// - Returns: Objects that the rules reach in the parent only, by links that the child does not know.
    private func delete() -> RowSet {
        if changes.deletions.isEmpty { return RowSet() }
        let deleted = context.rowsDeleted {
            for deletion in changes.deletions {
                if let object = graph.record(for: deletion.id).flatMap(context.object) { context.delete(object) }
            }
            context.propagateDeletes()
        }
        return deleted.subtracting(RowSet(changes.deletions.map(\.id)))
    }

    /// - Parameter versions: the versions of the edited objects before the changes.
    private func saved(_ versions: [RowVersion?]) -> SavedRows {
        var saved = SavedRows()
        saved.inserted = changes.insertions.map { insertion in
            let record = made[insertion.id]
            return SavedRows.Inserted(
                id: record?.id ?? insertion.id, version: record?.versionBelow ?? 1, replaced: false)
        }
        saved.updatedVersions = changes.updates.indices.map { place in
            let expected = changes.updates[place].expectedVersion
            // If the parent had edits that the child has not seen, the child reads the object again.
            return versions[place] == expected ? updated[place]?.versionBelow ?? expected : expected
        }
        return saved
    }

    /// Inserts in the child's order, which becomes the order of the rows.
    private func insert() {
        for insertion in changes.insertions {
            guard let record = made[insertion.id], let table = context.core.tables.table(at: insertion.entityIndex)
            else { continue }
            let object = Materialization.object(for: record, table, context)
            object.isAwake = true
            graph.insert((record, object))
        }
        graph.assign(new)
    }

    private func set(_ slots: [Int], _ values: SlotValues, _ record: Record) {
        // The parent has deleted the object meanwhile.
        if record.isGone || record.isDeleted { return }
        for slot in slots where slot < values.count && record.entity.slots.indices.contains(slot) {
            switch record.entity.slots[slot] {
            case .attribute: record.setValue(values[slot], at: slot)
            case .toOne(let index):
                let relationship = record.entity.relationships[index]
                graph.setDestination(of: record, relationship, to: destination(values[slot].destinationID))
            }
        }
    }

    /// - Returns: `nil` for an object that is gone or pending deletion.
    private func destination(_ id: ObjectID?) -> Record? {
        guard let id, let record = made[id] ?? graph.record(for: id) else { return nil }
        graph.fire(record)
        return record.isGone || record.isDeleted ? nil : record
    }

    private func apply(_ link: ChangeSet.LinkChange) {
        guard let owner = destination(link.owner),
            owner.entity.relationships.indices.contains(link.relationshipIndex)
        else { return }
        let relationship = owner.entity.relationships[link.relationshipIndex]
        let (added, removed) = (link.added.compactMap(destination), link.removed.compactMap(destination))
        if let order = link.order {
            let merge = OrderMerge(
                order: order.compactMap(destination), added: added, removed: removed,
                present: graph.members(of: owner, relationship))
            return graph.setMembers(of: owner, relationship, to: merge.members)
        }
        for member in removed { graph.remove(member, from: relationship, of: owner) }
        for member in added { graph.add(member, to: relationship, of: owner) }
    }
}

/// The members of an ordered relationship after a child's save: the child's order, with the changes that the child and its
/// parent made since the child read them.
private struct OrderMerge {
    /// The child's members.
    let order: [Record]
    /// Members that the child added.
    let added: [Record]
    let removed: [Record]
    /// The parent's members.
    let present: [Record]

    /// Members that the child does not know stay behind their predecessors.
    var members: [Record] {
        let known = Self.ids(order + removed)
        let kept = Self.ids(present + added)
        var followers: [ObjectID?: [Record]] = [:]
        var last: ObjectID?
        let staying = Self.ids(order)
        for member in present {
            if staying.contains(member.id) { last = member.id }
            if !known.contains(member.id) { followers[last, default: []].append(member) }
        }
        let first = followers[nil] ?? []
        return first + order.filter { kept.contains($0.id) }.flatMap { [$0] + (followers[$0.id] ?? []) }
    }

    private static func ids(_ records: [Record]) -> Set<ObjectID> { Set(records.map(\.id)) }
}
