import Foundation
import ObjectGraph

/// A context as the store of its children. All work is done on the parent's queue.
///
/// 1. The parent's objects have permanent identifiers in a child: the parent's unsaved objects get theirs when a child first
///    reads. Objects that no store accepts keep their temporary ones.
/// 2. A save of the child changes the parent's objects, whose own save writes them. The two have no conflicts: the child's
///    changes win, property by property. Edits of deleted objects are left out: the deletion wins.
final class ParentStore: Store {
    private let parent: WeakContext
    let model: Model

    init(_ parent: NSManagedObjectContext) {
        self.parent = WeakContext(context: parent)
        model = parent.core.model
    }

    var identifier: String { parent.context?.core.stores.identifier ?? "" }
    var isReadOnly: Bool { false }
    var storesTransients: Bool { true }

    private func onParent<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        guard let context = parent.context else {
            throw CocoaError(
                .managedObjectContextLocking, text: "The parent context is gone; keep it while it has children.")
        }
        // Not `performAndWait`: a read by a child does not end an event of its parent.
        return try context.queue.sync { () throws -> Result in
            context.graph.numberEdits()
            context.propagateDeletes()
            let new = context.graph.temporaryRecords
            if !new.isEmpty { try context.assignPermanentIDs(to: new.filter(context.core.stores.takes)) }
            return try body(context)
        }
    }

    // MARK: Reading

    func fetch(_ query: Query) throws -> [Snapshot] {
        try onParent { try $0.graph.fetch(query).map(Self.snapshot) }
    }

    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try forEachFetchedRow(of: query, body)
    }

    func fetchPartialRows(_ query: Query) throws -> [Snapshot]? { nil }
    func groups(_ query: GroupQuery) throws -> [RowGroup]? { nil }

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
            guard model.has(entityIndex),
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

    /// - Parameter beforeCommit: runs before the parent changes, because that cannot be rolled back.
    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try beforeCommit()
        return try onParent { context in
            let saved = try ChildSave(changes, context).apply()
            context.processPendingChanges()
            return .saved(saved)
        }
    }
}
