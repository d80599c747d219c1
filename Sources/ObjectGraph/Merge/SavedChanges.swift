import Synchronization

/// What one save did, as values that may cross threads: the input of `Graph.merge`.
package struct SavedChanges: Sendable {
    package var inserted: [ObjectID] = []
    /// The rows as they are now.
    package var updated: [Snapshot] = []
    /// Rows known to have changed whose values are not at hand.
    package var updatedIDs: [ObjectID] = []
    package var deleted: [ObjectID] = []
    /// Deletes of whole sets of rows, before everything else.
    package var planned = DeletePlan()
    /// Stands for more changes than were kept: anything may have changed.
    package private(set) var isOverflow = false

    package init() {}

    /// Anything may have changed.
    package static let overflow: SavedChanges = {
        var changes = SavedChanges()
        changes.isOverflow = true
        return changes
    }()

    /// Every row that was updated, once, in the order of the save.
    package var everyUpdatedID: [ObjectID] {
        let own = updated.map(\.id) + updatedIDs
        if planned.cleared.isEmpty { return own }
        return own + planned.updated.subtracting(RowSet(own)).ids
    }

    /// Every row that was deleted, once, made as asked for: there may be millions.
    package func forEachDeletedID(_ body: (ObjectID) -> Void) {
        deleted.forEach(body)
        for (space, keys) in planned.deleted.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            for key in keys.keys { body(ObjectID(space: space, key: key)) }
        }
    }

    /// The stores that were written to.
    package var storeIdentifiers: Set<String> {
        var spaces = planned.deleted.spaces
        spaces.formUnion(planned.cleared.map(\.space))
        for ids in [inserted, updatedIDs, deleted] { spaces.insertSpaces(of: ids) }
        spaces.insertSpaces(of: updated.lazy.map(\.id))
        return Set(spaces.compactMap(\.storeIdentifier))
    }

    package var deletedCount: Int { deleted.count + planned.deleted.count }

    package mutating func append(_ other: SavedChanges) {
        inserted += other.inserted
        updated += other.updated
        updatedIDs += other.updatedIDs
        deleted += other.deleted
        planned.append(other.planned)
        isOverflow = isOverflow || other.isOverflow
    }

    /// How much it weighs. Sets of rows are shared by all who are told.
    var count: Int { 1 + inserted.count + updated.count + updatedIDs.count + deleted.count }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && updatedIDs.isEmpty && deleted.isEmpty && planned.isEmpty && !isOverflow
    }
}

extension Set<IDSpace> {
    /// Neighbours mostly are of one space, which is asked for once.
    fileprivate mutating func insertSpaces(of ids: some Sequence<ObjectID>) {
        var last: IDSpace?
        for id in ids where id.space != last {
            insert(id.space)
            last = id.space
        }
    }
}

/// Changes waiting for a graph. The one part of a graph that other threads may use. A graph that is not used for long
/// does not pile up what others save: past a limit it is only told that anything may have changed.
package final class Inbox: Sendable {
    private struct Waiting {
        private(set) var list: [SavedChanges] = []
        private var weight = 0

        mutating func append(_ changes: SavedChanges) {
            list.append(changes)
            weight += changes.count
            if weight > Inbox.mostObjects { (list, weight) = ([.overflow], SavedChanges.overflow.count) }
        }
    }

    private let waiting = Locked(Waiting())
    private static let mostObjects = 10_000
    private let isWaiting = Atomic<Bool>(false)

    package func post(_ changes: SavedChanges) {
        waiting.withLock { $0.append(changes) }
        isWaiting.store(true, ordering: .releasing)
    }

    package var isEmpty: Bool { !isWaiting.load(ordering: .acquiring) }

    func takeAll() -> [SavedChanges] {
        waiting.withLock { waiting in
            isWaiting.store(false, ordering: .releasing)
            defer { waiting = Waiting() }
            return waiting.list
        }
    }
}
