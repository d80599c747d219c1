import Foundation
import ObjectGraph

/// A context as the store of its children. All work is done on the parent's queue.
///
/// 1. What a child sees of its parent has permanent identifiers: the parent's unsaved objects are given theirs when a child
///    first looks.
/// 2. A save of the child changes the parent's objects, whose own save writes them. There are no conflicts between the
///    two: the child's changes win, property by property.
final class ParentStore: Store {
    private let parent: WeakContext
    let model: Model

    private struct WeakContext: @unchecked Sendable {
        // Weak references may be read from any thread; contexts are Sendable.
        weak var context: NSManagedObjectContext?
    }

    init(_ parent: NSManagedObjectContext) {
        self.parent = WeakContext(context: parent)
        model = parent.core.model
    }

    var identifier: String { parent.context?.core.store.identifier ?? "" }
    var isReadOnly: Bool { false }

    private func onParent<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        guard let context = parent.context else {
            throw CocoaError(
                .managedObjectContextLocking, text: "The parent context is gone; keep it while it has children.")
        }
        return try context.performAndWait { () throws -> Result in
            context.propagateDeletes()
            try context.givePermanentIDs(to: context.graph.temporaryRecords)
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
            var members: [ObjectID: [ObjectID]] = [:]
            for id in owners {
                guard let owner = context.graph.record(for: id),
                    owner.entity.relationships.indices.contains(relationshipIndex)
                else { continue }
                let relationship = owner.entity.relationships[relationshipIndex]
                members[id] = context.graph.members(of: owner, relationship).filter { !$0.isDeleted }.map(\.id)
            }
            return members
        }
    }

    private static func snapshot(_ record: Record) -> Snapshot {
        Snapshot(id: record.id, version: max(1, record.version), values: record.values)
    }

    func changesByOthers() throws -> SavedChanges { SavedChanges() }

    // MARK: Writing

    func save(_ changes: ChangeSet) throws -> SaveResult {
        try onParent { context in
            var push = ChildChanges(context)
            let saved = try push.apply(changes)
            context.processPendingChanges()
            return .saved(saved)
        }
    }

    // Deletes of sets of rows go past contexts, to the stores.

    func moment() throws -> StoreMoment? { nil }
    func plan(_ request: DeleteRequest) throws -> DeletePlan { throw CoordinatorStoreError.asOne }
    func cost(of plan: DeletePlan) throws -> DeleteCost { throw CoordinatorStoreError.asOne }
    func delete(_ request: DeleteRequest) throws -> DeleteResult { throw CoordinatorStoreError.asOne }
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        throw CoordinatorStoreError.asOne
    }
}

/// What a child saved, as changes of its parent's objects.
private struct ChildChanges {
    private let context: NSManagedObjectContext
    private let graph: Graph
    /// The parent's objects by the child's temporary identities.
    private var made: [ObjectID: Record] = [:]

    init(_ context: NSManagedObjectContext) {
        self.context = context
        graph = context.graph
    }

    mutating func apply(_ changes: ChangeSet) throws -> SavedRows {
        let deleted = changes.deletions.compactMap { graph.record(for: $0.id) }
        for record in deleted {
            if let object = context.object(record) { context.delete(object) }
        }
        context.propagateDeletes()
        try insert(changes.insertions)
        for insertion in changes.insertions {
            guard let record = made[insertion.id] else { continue }
            set(Array(insertion.values.indices), insertion.values, record)
        }
        let updated = changes.updates.map { graph.record(for: $0.id) }
        for (update, record) in zip(changes.updates, updated) {
            if let record { set(update.changedSlots, update.values, record) }
        }
        for link in changes.links { apply(link) }
        var saved = SavedRows()
        saved.inserted = changes.insertions.map { insertion in
            let record = made[insertion.id]
            return SavedRows.Inserted(id: record?.id ?? insertion.id, version: 1, replaced: false)
        }
        saved.updatedVersions = updated.map { max(1, $0?.version ?? 1) }
        return saved
    }

    private mutating func insert(_ insertions: [ChangeSet.Insertion]) throws {
        for insertion in insertions {
            guard let table = context.core.tables.table(at: insertion.entityIndex) else { continue }
            let record = Record(newObjectOf: table.entity)
            let object = Materialization.object(for: record, table, context)
            object.isAwake = true
            graph.insert((record, object))
            made[insertion.id] = record
        }
        try context.givePermanentIDs(to: Array(made.values))
    }

    private func set(_ slots: [Int], _ values: [Value], _ record: Record) {
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
