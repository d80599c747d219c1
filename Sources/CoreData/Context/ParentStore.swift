import Foundation
import ObjectGraph

/// A context as the store of its children. All work is done on the parent's queue.
///
/// 1. What a child sees of its parent has permanent identifiers: the parent's unsaved objects are given theirs when a child
///    first looks. Those that no store takes keep their temporary ones, as they are saved nowhere.
/// 2. A save of the child changes the parent's objects, whose own save writes them. There are no conflicts between the
///    two: the child's changes win, property by property.
final class ParentStore: StoreOfRows {
    private let parent: WeakContext
    let model: Model

    init(_ parent: NSManagedObjectContext) {
        self.parent = WeakContext(context: parent)
        model = parent.core.model
    }

    var identifier: String { parent.context?.core.store.identifier ?? "" }
    var isReadOnly: Bool { false }
    var keepsTransients: Bool { true }

    private func onParent<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        guard let context = parent.context else {
            throw CocoaError(
                .managedObjectContextLocking, text: "The parent context is gone; keep it while it has children.")
        }
        return try context.performAndWait { () throws -> Result in
            context.graph.numberEdits()
            context.propagateDeletes()
            let new = context.graph.temporaryRecords
            if !new.isEmpty { try context.givePermanentIDs(to: new.filter(context.core.store.takes)) }
            return try body(context)
        }
    }

    // MARK: Reading

    func fetch(_ query: Query) throws -> [Snapshot] {
        try onParent { try $0.graph.fetch(query).map(Self.snapshot) }
    }

    func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try onParent { try $0.graph.fetchIDs(query) }
    }

    func count(_ query: Query) throws -> Int {
        try onParent { try $0.graph.count(query) }
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        try onParent { context in
            let records = ids.compactMap { context.graph.record(for: $0) }
            try context.graph.fire(records)
            return records.filter { !$0.isGone && !$0.isDeleted && !$0.isFault }.map(Self.snapshot)
        }
    }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try onParent { context in
            let graph = context.graph
            guard model.entities.indices.contains(entityIndex),
                model[entityIndex].relationships.indices.contains(relationshipIndex)
            else { return [:] }
            let relationship = model[entityIndex].relationships[relationshipIndex]
            let records = owners.compactMap { id in graph.record(for: id).map { (id: id, record: $0) } }
            try graph.readMembers(of: relationship, owners: records.map(\.record))
            let members = records.map { id, owner in
                (id, graph.members(of: owner, relationship).filter { !$0.isDeleted }.map(\.id))
            }
            return Dictionary(members) { first, _ in first }
        }
    }

    private static func snapshot(_ record: Record) -> Snapshot {
        Snapshot(id: record.id, version: record.versionBelow, values: record.values)
    }

    func changesByOthers() throws -> SavedChanges { SavedChanges() }

    // MARK: Writing

    func save(_ changes: ChangeSet) throws -> SaveResult {
        try onParent { context in
            let saved = try ChildChanges(changes, context).apply()
            context.processPendingChanges()
            return .saved(saved)
        }
    }
}

/// What a child saved, as changes of its parent's objects.
///
/// All that may fail is done when this is made; the parent's objects change after that, and all of them do.
private struct ChildChanges {
    private let changes: ChangeSet
    private let context: NSManagedObjectContext
    private let graph: Graph
    /// The parent's new objects, with the identities they will have.
    private let new: [(record: Record, id: ObjectID)]
    /// The same by the identities that the child has for them.
    private let made: [ObjectID: Record]

    /// - Throws: What writing the stores throws: keys are handed out there.
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
        // What the child was given ahead of its save is kept.
        let known = records.filter { !$0.id.isTemporary }.map { (record: $0.record, id: $0.id) }
        new = try known + context.permanentIDs(for: records.filter(\.id.isTemporary).map(\.record))
    }

    func apply() -> SavedRows {
        for deletion in changes.deletions {
            if let object = graph.record(for: deletion.id).flatMap(context.object) { context.delete(object) }
        }
        context.propagateDeletes()
        insert()
        for insertion in changes.insertions {
            if let record = made[insertion.id] { set(Array(insertion.values.indices), insertion.values, record) }
        }
        let updated = changes.updates.map { graph.record(for: $0.id) }
        for (update, record) in zip(changes.updates, updated) {
            if let record { set(update.changedSlots, update.values, record) }
        }
        for link in changes.links { apply(link) }
        var saved = SavedRows()
        saved.inserted = changes.insertions.map { insertion in
            let record = made[insertion.id]
            return SavedRows.Inserted(
                id: record?.id ?? insertion.id, version: record?.versionBelow ?? 1, replaced: false)
        }
        saved.updatedVersions = updated.map { $0?.versionBelow ?? 1 }
        return saved
    }

    /// In the child's order, which becomes the order of the rows.
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
        graph.fire(record)
        // The parent has deleted it meanwhile.
        if record.isGone || record.isDeleted { return }
        for slot in slots where slot < values.count && record.entity.slots.indices.contains(slot) {
            switch record.entity.slots[slot] {
            case .attribute: record.setValue(values[slot], at: slot)
            case .toOne(let index):
                let relationship = record.entity.relationships[index]
                graph.setDestination(of: record, relationship, to: destination(values[slot]))
            }
        }
    }

    private func destination(_ value: Value) -> Record? {
        guard case .reference(let id) = value, let record = made[id] ?? graph.record(for: id) else { return nil }
        graph.fire(record)
        return record.isGone || record.isDeleted ? nil : record
    }

    private func apply(_ link: ChangeSet.LinkChange) {
        guard let owner = destination(.reference(link.owner)),
            owner.entity.relationships.indices.contains(link.relationshipIndex)
        else { return }
        let relationship = owner.entity.relationships[link.relationshipIndex]
        if let order = link.order {
            graph.setMembers(of: owner, relationship, to: order.compactMap { destination(.reference($0)) })
            return
        }
        for id in link.removed {
            if let member = destination(.reference(id)) { graph.remove(member, from: relationship, of: owner) }
        }
        for id in link.added {
            if let member = destination(.reference(id)) { graph.add(member, to: relationship, of: owner) }
        }
    }
}
