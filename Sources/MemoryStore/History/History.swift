import Foundation
import ObjectGraph

/// The transactions of a store. Numbers are never used again, whatever is deleted.
struct History: Sendable {
    private(set) var transactions: [HistoryTransaction] = []
    /// Number of the last transaction there has been.
    private(set) var newest: Int64 = 0
    private var lastChange: Int64 = 0
    /// The first number that can be read on from without missing more than was deleted by choice.
    private var start: Int64 = 1

    /// - Returns: the transaction's number.
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

    /// - Throws: `HistoryError.tokenExpired` when what followed the number is not there any more, or the number is of a later
    ///   state than the store's.
    func check(_ number: Int64, of store: String) throws {
        guard number <= newest, number >= start - 1 else {
            throw HistoryError.tokenExpired(store: store, number: number)
        }
    }

    // MARK: Deleting

    /// Number of the oldest transaction, or of the next one where there is none.
    private var first: Int64 { transactions.first?.number ?? newest + 1 }

    /// - Returns: how many went.
    mutating func delete(before number: Int64) -> Int {
        let count = remove { $0.number < number }
        if count > 0 { start = max(start, min(number, newest + 1)) }
        return count
    }

    /// Readers go on past transactions that are deleted by choice; those deleted for their place, from the beginning, expire the
    /// tokens before them.
    /// - Returns: how many went.
    mutating func delete(_ reason: HistoryDeletionReason, where isGone: (HistoryTransaction) -> Bool) -> Int {
        let former = first
        let count = remove(isGone)
        if count > 0, reason == .place, first > former { start = first }
        return count
    }

    private mutating func remove(_ isGone: (HistoryTransaction) -> Bool) -> Int {
        let count = transactions.count
        transactions.removeAll(where: isGone)
        return count - transactions.count
    }
}

/// What a transaction changes, noted while it is written.
struct HistoryNotes {
    private(set) var changes: [(id: ObjectID, kind: HistoryChange.Kind)] = []

    mutating func inserted(_ id: ObjectID) { changes.append((id, .insert)) }

    /// - Parameters:
    ///   - slots: All of a composite attribute count as changed where one is.
    ///   - toMany: positions in `Entity.relationships`.
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

    /// The same, where a row that is written several times has changed once.
    mutating func updatedOnce(_ id: ObjectID, _ entity: Entity, slots: [Int]) {
        var change = HistoryNotes()
        change.updated(id, entity, slots: slots)
        for (id, kind) in change.changes where !changes.contains(where: { $0.id == id && $0.kind == kind }) {
            changes.append((id, kind))
        }
    }

    /// Before the row goes, as some of its values may be kept.
    mutating func deleted(_ id: ObjectID, _ row: Row, _ entity: Entity) {
        var values: [String: Value] = [:]
        for attribute in entity.attributes where attribute.attribute.preservesValueOnDeletion {
            guard let slot = attribute.slots.first, !row.values[slot].isNull else { continue }
            values[entity.propertyName(ofSlot: slot)] = row.values[slot]
        }
        changes.append((id, .delete(Tombstone(values))))
    }
}
