import Foundation

/// The history of a store that keeps it in memory: transactions and registered consumers. Numbers of transactions are
/// never used again, even after deletions.
package struct HistoryContents: Sendable {
    package let storeIdentifier: String
    private var transactions: [HistoryTransaction] = []
    /// The changes of the transaction that is being written; their numbers are assigned at its end.
    package private(set) var noted: [HistoryChange] = []
    /// The number of the newest transaction ever written.
    private var newest: Int64 = 0
    private var lastChange: Int64 = 0
    /// The first readable number: only transactions deleted by choice are missing after it.
    private var start: Int64 = 1
    private var consumersByName: [String: RegisteredConsumer] = [:]

    package init(of storeIdentifier: String) { self.storeIdentifier = storeIdentifier }

    // MARK: Writing

    package mutating func noteInsertion(of id: ObjectID) { note(id, .insert) }

    /// - Parameter toMany: Positions in `Entity.relationships`.
    package mutating func noteUpdate(
        of id: ObjectID, _ entity: Entity, slots: some Sequence<Int>, toMany: [Int] = []
    ) {
        note(id, .update(ChangedProperties(of: entity, slots: slots, toMany: toMany)))
    }

    /// Notes an update that equals one of the same transaction only once.
    package mutating func noteUpdateOnce(of id: ObjectID, _ entity: Entity, slots: [Int]) {
        let kind = HistoryChange.Kind.update(ChangedProperties(of: entity, slots: slots, toMany: []))
        if !noted.contains(where: { $0.id == id && $0.kind == kind }) { note(id, kind) }
    }

    /// - Parameter values: Those of the row, some of which may be kept.
    package mutating func noteDeletion(of id: ObjectID, _ values: SlotValues, _ entity: Entity) {
        note(id, .delete(Tombstone(of: values, entity)))
    }

    private mutating func note(_ id: ObjectID, _ kind: HistoryChange.Kind) {
        noted.append(HistoryChange(number: 0, id: id, kind: kind))
    }

    /// Ends a transaction with the noted changes.
    /// - Returns: The number of the transaction.
    package mutating func endTransaction(author: String?, contextName: String?) -> Int64 {
        newest += 1
        let process = ProcessInfo.processInfo.processName
        var transaction = HistoryTransaction(
            storeIdentifier: storeIdentifier, number: newest, timestamp: Date().timeIntervalSinceReferenceDate,
            author: author, contextName: contextName, processID: process,
            bundleID: Bundle.main.bundleIdentifier ?? process)
        for change in noted {
            lastChange += 1
            transaction.changes.append(HistoryChange(number: lastChange, id: change.id, kind: change.kind))
        }
        noted = []
        transactions.append(transaction)
        return newest
    }

    // MARK: Reading

    private var range: HistoryRange { HistoryRange(oldest: transactions.first?.number, newest: newest) }

    /// The token of the newest transaction that was ever written.
    package var token: HistoryToken { HistoryToken([storeIdentifier: newest]) }

    /// Returns the first transactions that match a query, in order.
    /// - Throws: `HistoryError.tokenExpired`, also for a token in the query's test that every transaction must follow.
    package func transactions(_ query: HistoryQuery, limit: Int) throws -> [HistoryTransaction] {
        for number in query.startingNumbers(of: storeIdentifier) {
            try range.check(number, of: storeIdentifier, from: start)
        }
        let last = query.after?.number(of: storeIdentifier) ?? 0
        let found = transactions.lazy.filter { $0.number > last && query.test.holds($0) }.prefix(max(1, limit))
        if query.detail == .withChanges { return Array(found) }
        return found.map { transaction in
            var transaction = transaction
            transaction.changes = []
            return transaction
        }
    }

    // MARK: Deleting

    /// Returns the number of the first transaction that deleting before a bound keeps; `nil` if it deletes none.
    /// - Throws: `HistoryError.tokenExpired` for a token of a later state than the store's.
    package func firstKept(before bound: HistoryBound) throws -> Int64? {
        try bound.firstKept(of: storeIdentifier, newest: newest, since: first(since:))
    }

    private func first(since time: Double) -> Int64? { transactions.first { $0.timestamp >= time }?.number }

    /// - Returns: The number of deleted transactions.
    package mutating func delete(before number: Int64) -> Int {
        let count = remove { $0.number < number }
        if count > 0 { start = range.start(start, prunedBefore: number) }
        return count
    }

    /// - Returns: The number of deleted transactions.
    package mutating func delete(_ reason: HistoryDeletionReason, where isGone: (HistoryTransaction) -> Bool) -> Int {
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

    // MARK: Consumers

    /// By name.
    package var consumers: [RegisteredConsumer] { consumersByName.values.sorted { $0.name < $1.name } }

    package mutating func register(_ name: String, from start: ConsumerStart) {
        if consumersByName[name] == nil { set(name, start.number(in: range)) }
    }

    /// Never moves the position back.
    package mutating func advance(_ name: String, to number: Int64) {
        if consumersByName[name].map({ $0.number < number }) ?? true { set(name, number) }
    }

    /// Moves a consumer to the newest transaction, even backwards.
    package mutating func restart(_ name: String) { set(name, newest) }

    package mutating func removeConsumer(_ name: String) { consumersByName[name] = nil }

    private mutating func set(_ name: String, _ number: Int64) {
        let time = Date().timeIntervalSinceReferenceDate
        consumersByName[name] = RegisteredConsumer(name: name, number: number, time: time)
    }

    /// Returns the number of the first transaction that consumers or the age require; `nil` if all before it are
    /// deleted.
    package func firstAwaited(keeping seconds: Double) -> Int64? {
        let number = consumers.firstAwaited(keeping: seconds, since: first(since:))
        return range.oldest.map { $0 < number } == true ? number : nil
    }
}
