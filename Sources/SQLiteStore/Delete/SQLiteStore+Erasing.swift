import Foundation
import ObjectGraph

/// What an erasure did.
package struct ErasureResult: Sendable {
    /// What went; empty when only traces were erased.
    package var plan = DeletePlan()
    /// Kept deletes that were given up.
    package var purgedDeletes: [KeptDelete] = []
    /// Transactions of the history that were forgotten.
    package var prunedTransactions = 0
    /// Changes whose kept values were forgotten.
    package var clearedTombstones = 0
    /// Whether the write-ahead log is empty; not while others read.
    package var isLogEmpty = true

    fileprivate var hasErased: Bool {
        !plan.isEmpty || !purgedDeletes.isEmpty || prunedTransactions > 0 || clearedTombstones > 0
    }
}

/// What earlier deletes have left in a file, and erasing them would take.
package struct EraseTraces: Sendable {
    /// Deletes that could be taken back.
    package let keptDeletes: [KeptDelete]
    /// Transactions of the history, and how many of their changes keep values of what was deleted.
    package let transactions: Int
    package let tombstones: Int
}

/// What an erasure is at, with who tells how far that is.
package enum ErasurePhase: Sendable {
    /// By the rows of the statements that are done; nothing is told while the delete is planned and written to history.
    case deleting(WorkMeter)
    /// Recoverable deletes, history, and values kept there.
    case forgetting
    /// Writing the file anew.
    case compacting(WorkMeter)
}

/// An erasure that came to a halt after rows, or traces of earlier deletes, had gone for good, with traces left in the file.
package struct UnfinishedErasure: Error, CustomStringConvertible {
    /// What went; empty when only traces did.
    package let plan: DeletePlan
    /// What stopped it.
    package let reason: any Error

    package var description: String {
        plan.isEmpty
            ? "Some traces of earlier deletes were erased, but others are still in the file: \(reason)"
            : "Rows were deleted, but traces of them are still in the file: \(reason)"
    }
}

extension SQLiteStore {
    /// Deletes by rule so that nothing of what went can be found in the file: its pages are overwritten, recoverable
    /// deletes are given up, history is forgotten up to the transaction that tells of this delete, which keeps no
    /// values, and the file is written anew.
    ///
    /// What file system and disk keep of blocks they no longer need, and copies of the file, are out of reach.
    /// - Parameters:
    ///   - request: `nil` to erase the traces of earlier deletes only.
    ///   - shown: what is expected to go; `nil` for whatever the request comes to now.
    ///   - tellsOthers: whether the history keeps the transaction of this delete, with which row went and when, but none
    ///     of its values; contexts that are open elsewhere learn from it. Without it, the whole history is forgotten.
    ///   - willBegin: told of each phase.
    /// - Throws: `UnfinishedErasure` once rows or traces have gone. Before that, and nothing is written then: `DeleteError`
    ///   (`storeMoved` where other rows would go than were shown), `StoreAccessError.readOnly`, `.notEnoughDisk` where there
    ///   is no room to write the file anew, `SQLiteError`.
    package func erase(
        _ request: DeleteRequest?, expecting shown: DeletePlan? = nil, tellsOthers: Bool = true,
        willBegin: (ErasurePhase) -> Void = { _ in }
    ) throws -> ErasureResult {
        try erase(request, expecting: shown, tellsOthers: tellsOthers, JobEnvironment(), willBegin: willBegin)
    }

    func erase(
        _ request: DeleteRequest?, expecting shown: DeletePlan? = nil, tellsOthers: Bool = true,
        _ environment: JobEnvironment, willBegin: (ErasurePhase) -> Void = { _ in }
    ) throws -> ErasureResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        try pool.withWriter { try checkDisk($0, environment) }
        let usual = try pool.withWriter { try $0.overwriteFreedPages("ON") }
        // Should this fail, later deletes take longer, and nothing else.
        defer { _ = try? pool.withWriter { try $0.overwriteFreedPages(usual) } }
        var result = ErasureResult()
        var transaction: Int64?
        if let request {
            let meter = WorkMeter()
            willBegin(.deleting(meter))
            let deleted = try delete(request, expecting: shown, meter)
            result.plan = deleted.plan
            transaction = tellsOthers ? deleted.transactionNumber : nil
        }
        do {
            willBegin(.forgetting)
            try eraseTraces(upTo: transaction, &result)
            let meter = WorkMeter()
            willBegin(.compacting(meter))
            result.isLogEmpty = try compact(environment, meter)
        } catch  where result.hasErased {
            throw UnfinishedErasure(plan: result.plan, reason: error)
        }
        return result
    }

    private func delete(
        _ request: DeleteRequest, expecting shown: DeletePlan?, _ meter: WorkMeter
    ) throws -> DeleteResult {
        var request = request
        request.recovery = .none
        let rows = Progress(totalUnitCount: -1)
        request.meter = RowMeter(rows)
        defer { meter.tell(1) }
        return try meter.watching({ rows.isIndeterminate ? nil : rows.fractionCompleted }) {
            try shown.map { try execute($0, of: request) } ?? delete(request)
        }
    }

    /// - Parameter transaction: the first to stay in the history; `nil` for none.
    private func eraseTraces(upTo transaction: Int64?, _ result: inout ErasureResult) throws {
        result.purgedDeletes = try purge(.everything)
        let newest = try historyToken()?.number(of: identifier) ?? 0
        let (first, overflows) = newest.addingReportingOverflow(1)
        result.prunedTransactions = try pruneHistory(before: .number(transaction ?? (overflows ? .max : first)))
        result.clearedTombstones = try clearTombstones()
    }

    /// What `erase` without a request would take. Only reads.
    /// - Throws: `SQLiteError`.
    package func eraseTraces() throws -> EraseTraces {
        let table = HistoryTables.Transaction.table
        return EraseTraces(
            keptDeletes: try keptDeletes(),
            transactions: history == nil ? 0 : try rowCount("SELECT count(*) FROM \(table)"),
            tombstones: try tombstoneColumns.isEmpty
                ? 0 : rowCount("SELECT count(*) FROM \(HistoryTables.Change.table) WHERE \(hasTombstone)"))
    }

    private func rowCount(_ sql: String) throws -> Int {
        try pool.withReader { try $0.withStatement(sql) { try $0.step() ? Int($0.integer(at: 0)) : 0 } }
    }

    private var tombstoneColumns: [String] {
        (0..<(history?.queries.tombstoneCount ?? 0)).map(HistoryTables.Change.tombstone)
    }

    private var hasTombstone: String { tombstoneColumns.map { "\($0) NOT NULL" }.joined(separator: " OR ") }

    /// - Returns: how many changes had values.
    private func clearTombstones() throws -> Int {
        guard !tombstoneColumns.isEmpty else { return 0 }
        let clearing = tombstoneColumns.map { "\($0) = NULL" }.joined(separator: ", ")
        return try pool.withWriter { connection in
            try connection.inTransaction(.immediate) {
                try connection.execute("UPDATE \(HistoryTables.Change.table) SET \(clearing) WHERE \(hasTombstone)")
                return connection.changeCount
            }
        }
    }
}

extension Connection {
    /// Whether what is deleted is overwritten in the file.
    /// - Parameter setting: SQLite's word for it.
    /// - Returns: what the setting was.
    fileprivate func overwriteFreedPages(_ setting: String) throws -> String {
        let words: [Int64: String] = [0: "OFF", 1: "ON", 2: "FAST"]
        let former = try withStatement("PRAGMA secure_delete") { try $0.step() ? words[$0.integer(at: 0)] : nil }
        try execute("PRAGMA secure_delete = \(setting)")
        return former ?? "OFF"
    }
}
