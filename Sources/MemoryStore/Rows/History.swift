import Foundation
import ObjectGraph

/// The transactions of a store. Their numbers are never reused, even after deletions.
struct History: Sendable {
    private(set) var transactions: [HistoryTransaction] = []
    /// The number of the newest transaction ever written.
    private(set) var newest: Int64 = 0
    private var lastChange: Int64 = 0
    /// The first readable number: only transactions deleted by choice are missing after it.
    private(set) var start: Int64 = 1

    var range: HistoryRange { HistoryRange(oldest: transactions.first?.number, newest: newest) }

    /// - Returns: The number of the transaction.
    mutating func append(_ notes: HistoryNotes, author: String?, contextName: String?, of store: String) -> Int64 {
        newest += 1
        let process = ProcessInfo.processInfo.processName
        var transaction = HistoryTransaction(
            storeIdentifier: store, number: newest, timestamp: Date().timeIntervalSinceReferenceDate, author: author,
            contextName: contextName, processID: process, bundleID: Bundle.main.bundleIdentifier ?? process)
        for (id, kind) in notes.changes {
            lastChange += 1
            transaction.changes.append(HistoryChange(number: lastChange, id: id, kind: kind))
        }
        transactions.append(transaction)
        return newest
    }

    // MARK: Deleting

    /// - Returns: The number of deleted transactions.
    mutating func delete(before number: Int64) -> Int {
        let count = remove { $0.number < number }
        if count > 0 { start = range.start(start, prunedBefore: number) }
        return count
    }

    /// - Returns: The number of deleted transactions.
    mutating func delete(_ reason: HistoryDeletionReason, where isGone: (HistoryTransaction) -> Bool) -> Int {
        let former = range
        let count = remove(isGone)
        if count > 0 { start = range.start(start, prunedBy: reason, from: former) }
        return count
    }

    private mutating func remove(_ isGone: (HistoryTransaction) -> Bool) -> Int {
        let count = transactions.count
        transactions.removeAll(where: isGone)
        return count - transactions.count
    }
}

/// The changes of a transaction, collected while it is written.
struct HistoryNotes {
    private(set) var changes: [(id: ObjectID, kind: HistoryChange.Kind)] = []

    mutating func inserted(_ id: ObjectID) { changes.append((id, .insert)) }

    /// - Parameters:
    /// All slots of a composite attribute count as changed if one is.
    /// Positions in `Entity.relationships`.
    mutating func updated(_ id: ObjectID, _ entity: Entity, slots: some Sequence<Int>, toMany: [Int] = []) {
        var all: Set<Int> = []
        for slot in slots where entity.slots.indices.contains(slot) {
            switch entity.slots[slot] {
            case .attribute(let index, _): all.formUnion(entity.attributes[index].slots)
            case .toOne: all.insert(slot)
            }
        }
        changes.append((id, .update(ChangedProperties(slots: all.sorted(), toMany: toMany.sorted()))))
    }

    /// Records a change of a row that may be written several times as one change.
    mutating func updatedOnce(_ id: ObjectID, _ entity: Entity, slots: [Int]) {
        var change = HistoryNotes()
        change.updated(id, entity, slots: slots)
        for (id, kind) in change.changes where !changes.contains(where: { $0.id == id && $0.kind == kind }) {
            changes.append((id, kind))
        }
    }

    /// Records a deletion. Called before the row is deleted, because some of its values may be kept.
    mutating func deleted(_ id: ObjectID, _ row: Row, _ entity: Entity) {
        var values: [String: Value] = [:]
        for attribute in entity.attributes where attribute.attribute.preservesValueOnDeletion {
            guard let slot = attribute.slots.first, !row.values[slot].isNull else { continue }
            values[entity.propertyName(ofSlot: slot)] = row.values[slot]
        }
        changes.append((id, .delete(Tombstone(values))))
    }
}
