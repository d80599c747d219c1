import Foundation
import ObjectGraph
import StoreSQL

/// Writes one history transaction with its changes, within the transaction that changes the rows.
struct HistoryWriter {
    private typealias Change = HistoryTables.Change
    private typealias Names = HistoryTables.Transaction
    private typealias ChangeKind = HistoryLayout.ChangeKind

    private static let insertions = HistoryInsertions(SQLiteDialect())
    private static let insertTransaction = insertions.transaction(
        [Names.author, Names.context, Names.bundle, Names.process])
    /// With keys of interned texts.
    private static let insertTransactionWithKeys = insertions.transaction(
        [Names.authorString, Names.contextString, Names.bundleString, Names.processString])

    let layout: HistoryLayout
    let connection: Connection
    /// The transaction's number.
    let number: Int64
    private var nextChangeKey: Int64
    /// Kept for the whole save, because it runs once per row.
    private let changeStatement: Statement
    /// The bit set made last. Consecutive changes often affect the same properties.
    private var lastColumns: LastColumns?
    /// Consecutive changes that are not written yet.
    private var run: ChangeRun?

    private struct LastColumns {
        let entityIndex: Int
        let slots: [Int]
        let toMany: [Int]
        let bytes: Data
    }

    /// Consecutive changes that differ only in the row's key. One statement writes all of them, which takes half the time
    /// of one for each.
    private struct ChangeRun {
        let kind: ChangeKind
        let entityIndex: Int
        let columns: Data?
        var keys: [Int64]

        private static let mostKeys = 65_536

        func continues(with kind: ChangeKind, _ entityIndex: Int, _ columns: Data?) -> Bool {
            self.kind == kind && self.entityIndex == entityIndex && self.columns == columns
                && keys.count < Self.mostKeys
        }
    }

    /// Writes the transaction's row.
    /// - Parameters:
    ///   - contextName: The name of the writing context, if it has one.
    ///   - changeCount: The maximum number of changes that follow, except for those that get keys of their own.
    init(
        _ layout: HistoryLayout, author: String?, contextName: String? = nil, changeCount: Int,
        keys: inout KeyAllocator, _ connection: Connection
    ) throws {
        self.layout = layout
        self.connection = connection
        number = try keys.keys(1, number: Names.entityNumber, table: Names.table, connection).lowerBound
        nextChangeKey =
            try keys.keys(changeCount, number: Change.entityNumber, table: Change.table, connection).lowerBound
        changeStatement = try connection.takeStatement(Self.insertions.change)
        try writeTransaction(author: author, contextName: contextName, &keys)
    }

    /// Writes the changes that are still waiting. Call this once, after the last change.
    mutating func writePending() throws {
        guard let run else { return }
        self.run = nil
        let first = nextChangeKey
        nextChangeKey += Int64(run.keys.count)
        if run.keys.count == 1 {
            try bind(changeStatement, first, run)
            try changeStatement.bind(run.keys[0], at: 4)
            return try changeStatement.run()
        }
        try connection.withStatement(Self.insertions.changes(try numbering(run.keys.count, from: first))) { statement in
            try bind(statement, first, run)
            try statement.bind(ValueList(run.keys), at: 4)
            try statement.run()
        }
    }

    /// Returns the statement to the connection's cache.
    func finish() {
        connection.giveBack(changeStatement)
    }

    private func writeTransaction(author: String?, contextName: String?, _ keys: inout KeyAllocator) throws {
        let process = ProcessInfo.processInfo.processName
        let bundle = Bundle.main.bundleIdentifier ?? process
        let texts = [author, contextName, bundle, process]
        var cells: [Cell] = []
        for (place, text) in texts.enumerated() {
            // A program without a bundle has one text for both.
            let isKnown = place > 0 && text == texts[place - 1]
            cells.append(isKnown ? cells[place - 1] : try cell(for: text, &keys))
        }
        let sql = layout.hasTexts ? Self.insertTransactionWithKeys : Self.insertTransaction
        try connection.withStatement(sql) { statement in
            try statement.bind(number, at: 1)
            try statement.bind(Date().timeIntervalSinceReferenceDate, at: 2)
            for (index, cell) in cells.enumerated() { try statement.bind(cell, at: index + 3) }
            try statement.run()
        }
    }

    // MARK: Texts

    /// Returns the key of an interned text, or the text itself if the file has no table for texts.
    private func cell(for text: String?, _ keys: inout KeyAllocator) throws -> Cell {
        guard let text else { return .null }
        guard layout.hasTexts else { return .text(text) }
        typealias Text = HistoryTables.Text
        let known = try connection.withStatement(HistoryInsertions.key(ofText: text)) {
            try $0.step() ? $0.integer(at: 0) : nil
        }
        if let known { return .integer(known) }
        let key = try keys.keys(1, number: Text.entityNumber, table: Text.table, connection).lowerBound
        try connection.run(HistoryInsertions.text(text, key: key))
        return .integer(key)
    }

    // MARK: Changes

    mutating func inserted(_ entityIndex: Int, key: Int64) throws {
        try write(.insert, entityIndex, key, columns: nil)
    }

    mutating func updated(_ entityIndex: Int, key: Int64, slots: [Int], toMany: [Int]) throws {
        try write(.update, entityIndex, key, columns: columns(entityIndex, slots, toMany))
    }

    private mutating func columns(_ entityIndex: Int, _ slots: [Int], _ toMany: [Int]) -> Data {
        if let last = lastColumns, last.entityIndex == entityIndex, last.slots == slots, last.toMany == toMany {
            return last.bytes
        }
        let bytes = layout.changedColumns[entityIndex].bytes(slots: slots, toMany: toMany)
        lastColumns = LastColumns(entityIndex: entityIndex, slots: slots, toMany: toMany, bytes: bytes)
        return bytes
    }

    // MARK: Changes of many rows

    /// Like `inserted(_:key:)` for every row of the set, with one statement.
    mutating func inserted(_ entityIndex: Int, rows: KeySet, _ keys: inout KeyAllocator) throws {
        try write(.insert, entityIndex, rows, columns: nil, tombstones: nil, &keys)
    }

    /// Writes the deletion of all rows of the set with one statement, before the rows are deleted, because some of their
    /// values may be preserved. These changes are included in the count given at the start.
    mutating func willDelete(_ entityIndex: Int, counted rows: KeySet) throws {
        try writePending()
        let first = nextChangeKey
        nextChangeKey += Int64(rows.count)
        try write(.delete, entityIndex, rows, columns: nil, tombstones: layout.tombstones[entityIndex], from: first)
    }

    /// Like `willDelete(_:counted:)`, for rows not included in the count.
    mutating func willDelete(_ entityIndex: Int, rows: KeySet, _ keys: inout KeyAllocator) throws {
        try write(.delete, entityIndex, rows, columns: nil, tombstones: layout.tombstones[entityIndex], &keys)
    }

    /// Like `updated(_:key:slots:toMany:)` for every row of the set, with one statement.
    mutating func updated(
        _ entityIndex: Int, rows: KeySet, slots: [Int], toMany: [Int], _ keys: inout KeyAllocator
    ) throws {
        try write(
            .update, entityIndex, rows, columns: columns(entityIndex, slots, toMany), tombstones: nil, &keys)
    }

    private func write(
        _ kind: ChangeKind, _ entityIndex: Int, _ rows: KeySet, columns: Data?, tombstones: HistoryLayout.Tombstones?,
        _ keys: inout KeyAllocator
    ) throws {
        guard !rows.isEmpty else { return }
        let first =
            try keys.keys(rows.count, number: Change.entityNumber, table: Change.table, connection).lowerBound
        try write(kind, entityIndex, rows, columns: columns, tombstones: tombstones, from: first)
    }

    /// - Parameter first: The first of as many keys as there are rows.
    private func write(
        _ kind: ChangeKind, _ entityIndex: Int, _ rows: KeySet, columns: Data?, tombstones: HistoryLayout.Tombstones?,
        from first: Int64
    ) throws {
        let sql = Self.insertions.changes(try numbering(rows.count, from: first), tombstones: tombstones)
        try connection.withStatement(sql) { statement in
            try statement.bind(first, at: 1)
            try statement.bind(kind.rawValue, at: 2)
            try statement.bind(Int64(layout.map.entities[entityIndex].entityNumber), at: 3)
            try statement.bind(number, at: 4)
            // ZCOLUMNS; NULL without changed columns.
            if let columns { try statement.bind(columns, at: 5) } else { try statement.bindNull(at: 5) }
            try statement.bind(ValueList(rows.keys), at: 6)
            try statement.run()
        }
    }

    private func numbering(_ count: Int, from first: Int64) throws -> HistoryInsertions.Numbering {
        try connection.allocatesKeys(from: first, count, in: Change.table) ? .next : .given
    }

    private mutating func write(_ kind: ChangeKind, _ entityIndex: Int, _ key: Int64, columns: Data?) throws {
        if run?.continues(with: kind, entityIndex, columns) == true {
            run?.keys.append(key)
            return
        }
        try writePending()
        run = ChangeRun(kind: kind, entityIndex: entityIndex, columns: columns, keys: [key])
    }

    /// Binds everything except the row's key.
    private func bind(_ statement: Statement, _ changeKey: Int64, _ run: ChangeRun) throws {
        try statement.bind(changeKey, at: 1)
        try statement.bind(run.kind.rawValue, at: 2)
        try statement.bind(Int64(layout.map.entities[run.entityIndex].entityNumber), at: 3)
        try statement.bind(number, at: 5)
        // ZCOLUMNS; NULL without changed columns.
        if let columns = run.columns { try statement.bind(columns, at: 6) } else { try statement.bindNull(at: 6) }
    }
}
