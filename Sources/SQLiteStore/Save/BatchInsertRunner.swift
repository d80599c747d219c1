import Foundation
import ObjectGraph
import StoreSQL

/// Writes the rows of one batch within the caller's transaction. One statement that runs once is used if possible. One
/// for each set of given properties is used if rows may conflict with existing ones, or if triggers maintain derived
/// attributes: with triggers, SQLite would collect all rows in memory before it inserts the first.
///
/// 1. Without uniqueness constraints, rows are inserted.
/// 2. Otherwise the statement handles conflicts and returns the key of the written row: a key other than the assigned
///    one is that of an existing row; no key means that the existing row was left unchanged. An unused key is assigned
///    to the next row. Conflicts that the file's index does not detect are searched for before; the statement then gets
///    the key of the existing row, so that it conflicts by that.
/// 3. The history is written at the end, with one statement for each kind of change.
struct BatchInsertRunner {
    let runner: SaveRunner
    let batch: BatchInsert
    let connection: Connection
    private let plan: WritePlan
    private(set) var writer: RowWriter
    /// Files without a reference from any row, to be removed after the commit.
    private(set) var obsoleteFiles: [String] = []
    private var keys = KeyAllocator()
    private var nextKey: Int64?
    private var inserted: [Int64] = []
    /// Existing rows, by own entity and the slots that were updated.
    private var updated: [UpdatedShape: [Int64]] = [:]
    private var order: [ObjectID] = []

    private struct UpdatedShape: Hashable {
        let entityIndex: Int
        let slots: [Int]
    }

    /// - Throws: `ChangeSetError` for an entity without rows.
    init(_ batch: BatchInsert, runner: SaveRunner, _ connection: Connection) throws {
        _ = try batch.entity(in: runner.map.model)
        self.runner = runner
        self.batch = batch
        self.connection = connection
        plan = runner.plans[batch.entityIndex]
        writer = RowWriter(spaces: runner.spaces, map: runner.map, externalData: runner.externalData)
    }

    /// - Throws: The errors of `fill`, `CellError`, `ExternalDataError`, `SQLiteError`.
    mutating func run(fill: (inout BatchInsert.Row) throws -> Bool) throws -> SavedRows {
        if let meter = batch.meter {
            try writeAll { row in
                guard try fill(&row) else { return false }
                try meter.count()
                return true
            }
        } else {
            try writeAll(fill)
        }
        var result = SavedRows()
        result.transactionNumber = try writeHistory()
        try keys.write(names: runner.counterNames, connection)
        result.ordered = order
        result.created.insert(KeySet(inserted), in: runner.spaces.spaces[batch.entityIndex])
        for (shape, rows) in updated {
            result.updated.insert(KeySet(rows), in: runner.spaces.spaces[shape.entityIndex])
        }
        return result
    }

    // MARK: Rows

    private mutating func writeAll(_ fill: (inout BatchInsert.Row) throws -> Bool) throws {
        if plan.storage.uniqueColumns.isEmpty, plan.fitsFeed, try !connection.hasTriggers(on: plan.storage.table) {
            return try insertAll(fill)
        }
        var row = BatchInsert.Row(values: [], given: [])
        while try fill(&row) { try write(row) }
    }

    /// Inserts all rows with one statement, which reads them one after the other.
    private mutating func insertAll(_ fill: (inout BatchInsert.Row) throws -> Bool) throws {
        let (number, table) = (plan.storage.rootNumber, plan.storage.table)
        let first = try keys.keys(0, number: number, table: table, connection).lowerBound
        let giver: WritePlan.KeyAllocation = try connection.highestKey(of: table) + 1 == first ? .table : .row
        let count = try withoutActuallyEscaping(fill) { fill in
            let feed = BatchFeed(plan, firstKey: first, writer, fill)
            defer { writer = feed.writer }
            try connection.withStatement(plan.feedText(giver)) { try $0.run(feed, at: 1) }
            return feed.count
        }
        let given = try keys.keys(count, number: number, table: table, connection)
        inserted = Array(given)
        order = given.map { runner.spaces.id(entityIndex: batch.entityIndex, key: $0) }
    }

    /// Writes one row that may conflict with another one.
    private mutating func write(_ row: BatchInsert.Row) throws {
        try row.check(against: plan.entity)
        let met = try rowMissedByIndex(by: row)
        let key = try met ?? takeKey()
        let given = batch.duplicates == .update ? row.given.filter(isWritten) : []
        let fileCount = writer.newFiles.count
        let files = plan.writesExternal(given) ? try filesMet(by: row, met, given) : [:]
        let statement = try connection.takeStatement(text(updating: given))
        defer { connection.giveBack(statement) }
        try statement.bind(key, at: 1)
        _ = try writer.bind(row.values, plan.cells, of: plan.entity, from: 2, statement)
        guard try writes(statement) else {
            writer.dropFiles(after: fileCount)
            if met == nil { nextKey = key }
            return
        }
        let written = statement.integer(at: 0)
        if met == nil {
            if written == key { return noteInserted(key) }
            nextKey = key
        }
        obsoleteFiles += files[written] ?? []
        let entityIndex =
            Int(exactly: statement.integer(at: 1)).flatMap { runner.map.entityIndexByNumber[$0] } ?? batch.entityIndex
        updated[UpdatedShape(entityIndex: entityIndex, slots: given), default: []].append(written)
        order.append(runner.spaces.id(entityIndex: entityIndex, key: written))
    }

    /// - Throws: `UniqueViolation` for a row that conflicts with two others, by one constraint each.
    private func writes(_ statement: Statement) throws -> Bool {
        do {
            return try statement.step()
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw plan.violation(error, [])
        }
    }

    /// Returns an existing row that conflicts with the given one without being detected by the file's index.
    private func rowMissedByIndex(by row: BatchInsert.Row) throws -> Int64? {
        for uniqueness in plan.uniquenessWithNulls {
            guard let values = plan.values(of: uniqueness, { row.values[$0] }), values.contains(where: \.isNull),
                let key = try plan.row(with: values, of: uniqueness, connection)
            else { continue }
            return key
        }
        return nil
    }

    private func isWritten(_ slot: Int) -> Bool { (plan.columnBySlot.element(slot) ?? nil) != nil }

    private mutating func takeKey() throws -> Int64 {
        if let key = nextKey {
            nextKey = nil
            return key
        }
        return try keys.keys(1, number: plan.storage.rootNumber, table: plan.storage.table, connection).lowerBound
    }

    private mutating func noteInserted(_ key: Int64) {
        inserted.append(key)
        order.append(runner.spaces.id(entityIndex: batch.entityIndex, key: key))
    }

    // MARK: Text

    private func text(updating slots: [Int]) -> String {
        plan.upsertText(slots.compactMap { plan.columnBySlot[$0] }.map { plan.columns[$0] })
    }

    // MARK: Files

    /// Returns the files of existing rows that the new values would replace, by key. Different constraints may find
    /// different rows, of which the statement updates one.
    private func filesMet(by row: BatchInsert.Row, _ met: Int64?, _ slots: [Int]) throws -> [Int64: [String]] {
        let columns = slots.compactMap { plan.columnBySlot[$0] }.map { plan.columns[$0] }
            .filter { $0.writer == .external }.map(\.name)
        var keys: Set<Int64> = []
        if let met { keys.insert(met) }
        for uniqueness in plan.storage.uniqueness {
            guard let values = plan.values(of: uniqueness, { row.values[$0] }),
                let key = try plan.row(with: values, of: uniqueness, connection)
            else { continue }
            keys.insert(key)
        }
        var files: [Int64: [String]] = [:]
        for key in keys { files[key] = try self.files(in: columns, ofRow: key) }
        return files
    }

    private func files(in columns: [String], ofRow key: Int64) throws -> [String] {
        try connection.withStatement(plan.selectText(columns)) { statement in
            try statement.bind(key, at: 1)
            guard try statement.step() else { return [] }
            return columns.indices.compactMap {
                statement.optionalBytes(at: $0).flatMap(ExternalData.fileName(in:))
            }
        }
    }

    // MARK: History

    private mutating func writeHistory() throws -> Int64? {
        guard let layout = runner.history, !order.isEmpty else { return nil }
        var history = try HistoryWriter(
            layout, author: batch.author, contextName: batch.contextName, changeCount: 0, keys: &keys, connection)
        defer { history.finish() }
        try history.inserted(batch.entityIndex, rows: KeySet(inserted), &keys)
        for (shape, rows) in updated.sorted(by: {
            ($0.key.entityIndex, $0.value.count) < ($1.key.entityIndex, $1.value.count)
        }) {
            try history.updated(shape.entityIndex, rows: KeySet(rows), slots: shape.slots, toMany: [], &keys)
        }
        return history.number
    }
}

extension Connection {
    fileprivate func hasTriggers(on table: String) throws -> Bool {
        let all = "(SELECT type, tbl_name FROM sqlite_master UNION ALL SELECT type, tbl_name FROM sqlite_temp_master)"
        return try withStatement("SELECT 1 FROM \(all) WHERE type = 'trigger' AND tbl_name = ?") { statement in
            try statement.bind(table, at: 1)
            return try statement.step()
        }
    }
}
