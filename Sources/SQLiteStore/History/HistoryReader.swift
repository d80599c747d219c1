import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// Reads the history of a store: pages of transactions with their changes, or a summary of a range.
struct HistoryReader: Sendable {
    let layout: HistoryLayout
    let queries: HistoryQueries
    let spaces: EntitySpaces
    let storeIdentifier: String
    let externalData: ExternalData?

    static func range(_ connection: Connection) throws -> HistoryRange {
        try connection.withStatement(HistoryQueries.bounds) { statement in
            guard try statement.step() else { return HistoryRange(oldest: nil, newest: 0) }
            return HistoryRange(
                oldest: statement.optionalInteger(at: 0).map { max($0, 1) },
                newest: max(0, statement.integer(at: 1), statement.integer(at: 2)))
        }
    }

    /// - Throws: `HistoryError.tokenExpired` if transactions after the number are missing.
    func check(_ number: Int64, _ connection: Connection) throws {
        let range = try Self.range(connection)
        try range.check(number, of: storeIdentifier, from: HistoryStart.number(range, StoreMetadata(connection)))
    }

    // MARK: Transactions

    /// The maximum number of changes in a page; its last transaction may exceed it.
    static let mostChanges = 10_000

    /// Returns the next transactions in order; an empty result only at the end of the history. A page ends early if it
    /// has many changes. Takes two statements, so it needs a transaction of the caller.
    /// - Parameters:
    ///   - number: The number of the last known transaction; 0 for none.
    ///   - limit: The maximum number of transactions; at least 1.
    func transactions(
        after number: Int64, where test: HistoryTest = .constant(true), _ detail: HistoryQuery.Detail = .withChanges,
        limit: Int, mostChanges: Int = mostChanges, _ connection: Connection
    ) throws -> [HistoryTransaction] {
        let text = queries.transactions(
            after: max(0, number), where: test, limit: max(1, limit), storeIdentifier: storeIdentifier)
        var page = try connection.withStatement(text) { statement in
            var page: [HistoryTransaction] = []
            while try statement.step() {
                let transaction = transaction(statement)
                guard transaction.number > page.last?.number ?? number else { throw SQLiteError.disorder }
                page.append(transaction)
            }
            return page
        }
        guard detail == .withChanges, !page.isEmpty else { return page }
        let complete = try withChanges(of: page, connection) { try addChanges(to: &page, mostChanges, $0) }
        return Array(page.prefix(complete))
    }

    /// Returns the transactions before a number that pass a test, newest first, without their changes.
    func newestTransactions(
        before number: Int64, where test: HistoryTest, limit: Int, _ connection: Connection
    ) throws -> [HistoryTransaction] {
        let text = queries.newest(
            before: number, where: test, limit: max(1, limit), storeIdentifier: storeIdentifier)
        return try connection.withStatement(text) { statement in
            var page: [HistoryTransaction] = []
            while try statement.step() { page.append(transaction(statement)) }
            return page
        }
    }

    /// Lends a statement that selects the changes of these transactions.
    private func withChanges<Result>(
        of page: [HistoryTransaction], _ connection: Connection, _ body: (Statement) throws -> Result
    ) throws -> Result {
        guard let first = page.first?.number, let last = page.last?.number, last - first == page.count - 1 else {
            return try connection.withStatement(queries.changes(listed: KeySet(page.map(\.number))), body)
        }
        return try connection.withStatement(queries.changes(after: first - 1, through: last), body)
    }

    private func transaction(_ statement: Statement) -> HistoryTransaction {
        HistoryTransaction(
            storeIdentifier: storeIdentifier, number: statement.integer(at: 0), timestamp: statement.real(at: 1),
            author: statement.optionalText(at: 2), contextName: statement.optionalText(at: 3),
            processID: statement.optionalText(at: 4), bundleID: statement.optionalText(at: 5))
    }

    /// Adds changes to transactions; both are in the order of transactions.
    /// - Returns: The number of transactions whose changes are complete.
    private func addChanges(
        to page: inout [HistoryTransaction], _ mostChanges: Int, _ statement: Statement
    ) throws -> Int {
        var index = 0
        var count = 0
        while try statement.step() {
            let number = statement.integer(at: HistoryQueries.ChangeColumn.transaction)
            let previous = index
            while index < page.count, page[index].number < number { index += 1 }
            guard index < page.count else { break }
            if index > previous, count >= mostChanges { return index }
            guard page[index].number == number, let change = change(statement) else { continue }
            page[index].changes.append(change)
            count += 1
        }
        return page.count
    }

    // MARK: Changes

    /// Returns changes of one transaction, in order.
    func changes(of page: HistoryChangePage, _ connection: Connection) throws -> [HistoryChange] {
        let text = queries.changes(
            of: page.transaction, object: page.object, after: page.previous, skipping: max(0, page.skipped),
            limit: max(1, page.limit))
        return try connection.withStatement(text) { statement in
            var changes: [HistoryChange] = []
            while try statement.step() {
                guard let change = change(statement) else { continue }
                guard change.number > changes.last?.number ?? page.previous else { throw SQLiteError.disorder }
                changes.append(change)
            }
            return changes
        }
    }

    /// Returns the number of changes of one transaction, for one object if it is given.
    func counts(of number: Int64, object: ObjectID?, _ connection: Connection) throws -> HistoryCounts {
        try connection.withStatement(queries.kinds(of: number, object: object)) { statement in
            var counts = HistoryCounts()
            while try statement.step() {
                guard let kind = HistoryLayout.ChangeKind(rawValue: statement.integer(at: 0)),
                    let entityIndex = entityIndex(statement.integer(at: 1))
                else { continue }
                counts.count(kind, of: layout.map.model[entityIndex].name)
            }
            return counts
        }
    }

    /// - Returns: `nil` for an entity that the model does not have, and for an unknown kind of change.
    private func change(_ statement: Statement) -> HistoryChange? {
        typealias Column = HistoryQueries.ChangeColumn
        guard let kind = HistoryLayout.ChangeKind(rawValue: statement.integer(at: Column.kind)),
            let entityIndex = entityIndex(statement.integer(at: Column.entity))
        else { return nil }
        let id = spaces.id(entityIndex: entityIndex, key: statement.integer(at: Column.key))
        let number = statement.integer(at: Column.number)
        switch kind {
        case .insert: return HistoryChange(number: number, id: id, kind: .insert)
        case .update:
            let bits = statement.optionalBytes(at: Column.columns)
            let changed = bits.map { layout.changedColumns[entityIndex].properties(in: $0) } ?? .unknown
            return HistoryChange(number: number, id: id, kind: .update(changed))
        case .delete:
            return HistoryChange(number: number, id: id, kind: .delete(tombstone(entityIndex, statement)))
        }
    }

    private func entityIndex(_ number: Int64) -> Int? {
        Int(exactly: number).flatMap { layout.map.entityIndexByNumber[$0] }
    }

    /// Rows from before a migration may have values of other attributes. Values that cannot be of the attribute's type
    /// are left out.
    private func tombstone(_ entityIndex: Int, _ statement: Statement) -> Tombstone {
        let kept = layout.preservedAttributes[entityIndex]
        guard !kept.isEmpty else { return Tombstone() }
        var values: [String: Value] = [:]
        for (index, attribute) in kept.enumerated() {
            let cell = statement.cell(at: HistoryQueries.ChangeColumn.firstTombstone + index)
            guard let slot = attribute.slots.first, let column = layout.map.entities[entityIndex].columns[slot],
                let value = value(of: cell, column), !value.isNull
            else { continue }
            values[layout.map.model[entityIndex].propertyName(ofSlot: slot)] = value
        }
        return Tombstone(values)
    }

    private func value(of cell: Cell, _ column: SlotColumn) -> Value? {
        guard column.isExternal else { return try? ColumnCodec.value(of: cell, column.type) }
        guard case .bytes(let data) = cell else { return nil }
        if let externalData { return (try? externalData.value(of: data)).map(Value.bytes) }
        guard case .inline(let value) = try? ExternalData.content(of: data) else { return nil }
        return .bytes(value)
    }

    // MARK: Summaries

    /// Summarizes the transactions after one number, up to and including another.
    func sum(after first: Int64, through last: Int64, _ connection: Connection) throws -> SavedChanges {
        try connection.withStatement(queries.keys(after: first, through: last)) {
            SavedChanges(combining: try steps($0))
        }
    }

    /// Summarizes listed transactions.
    /// - Returns: `nil` if there are more changes than the maximum, or if some of the transactions are missing.
    func sum(of numbers: [Int64], mostChanges: Int, _ connection: Connection) throws -> SavedChanges? {
        let listed = KeySet(numbers)
        let count = try connection.withStatement(queries.count(listed: listed)) {
            try $0.step() ? Int($0.integer(at: 0)) : 0
        }
        guard count == numbers.count else { return nil }
        return try connection.withStatement(queries.keys(listed: listed, limit: mostChanges + 1)) { statement in
            let steps = try steps(statement)
            return steps.count > mostChanges ? nil : SavedChanges(combining: steps)
        }
    }

    private func steps(_ statement: Statement) throws -> [HistoryStep] {
        var steps: [HistoryStep] = []
        while try statement.step() {
            guard let kind = HistoryLayout.ChangeKind(rawValue: statement.integer(at: 0)),
                let entityIndex = entityIndex(statement.integer(at: 1))
            else { continue }
            let id = spaces.id(entityIndex: entityIndex, key: statement.integer(at: 2))
            switch kind {
            case .insert: steps.append(HistoryStep(.insert, id))
            case .update: steps.append(HistoryStep(.update, id))
            case .delete: steps.append(HistoryStep(.delete, id))
            }
        }
        return steps
    }
}
