import Foundation
import ObjectGraph
import StoreSQL

/// The outcome of an erasure.
package struct ErasureResult: Sendable {
    /// The carried out plan; empty if only traces were erased.
    package var plan = DeletePlan()
    /// Archived deletions that were discarded.
    package var purgedDeletes: [ArchivedDelete] = []
    /// The number of discarded history transactions.
    package var prunedTransactions = 0
    /// The number of changes whose preserved values were discarded.
    package var clearedTombstones = 0
    /// Whether the write-ahead log is empty. It is not while other connections read.
    package var isLogEmpty = true

    fileprivate var hasErased: Bool {
        !plan.isEmpty || !purgedDeletes.isEmpty || prunedTransactions > 0 || clearedTombstones > 0
    }
}

/// Traces of earlier deletes in a file, which an erasure would remove.
package struct EraseTraces: Sendable {
    /// Deletions that could be restored.
    package let archivedDeletes: [ArchivedDelete]
    /// The number of history transactions, and of their changes with preserved values of deleted rows.
    package let transactions: Int
    package let tombstones: Int
}

/// A phase of an erasure, with the meter of its progress.
package enum ErasurePhase: Sendable {
    /// Deletes rows. The meter counts the rows of finished statements; it gets no reports while the delete is planned and
    /// written to history.
    case deleting(ProgressMeter)
    /// Discards archived deletions, history, and preserved values in it.
    case forgetting
    /// Rewrites the file.
    case compacting(ProgressMeter)
}

/// An erasure that failed after rows, or traces of earlier deletes, had been removed permanently. The file still has traces.
package struct UnfinishedErasure: Error, CustomStringConvertible {
    /// The carried out plan; empty if only traces were erased.
    package let plan: DeletePlan
    /// The error that stopped the erasure.
    package let reason: any Error

    package var description: String {
        plan.isEmpty
            ? "Some traces of earlier deletes were erased, but others are still in the file: \(reason)"
            : "Rows were deleted, but traces of them are still in the file: \(reason)"
    }
}

extension SQLiteStore {
    /// Deletes by the rules so that no deleted data can be found in the file: overwrites its pages, discards archived
    /// deletions and the history up to the transaction of this delete, which preserves no values, and rewrites the file.
    ///
    /// Does not affect copies of the file, nor blocks that the file system or the disk still has after they became unused.
    /// - Parameters:
    ///   - request: `nil` to erase the traces of earlier deletes only.
    ///   - shown: The expected plan; `nil` to accept the request's current plan.
    ///   - tellsOthers: Whether the history keeps the transaction of this delete, with the identity of each row and the
    ///     time but without values, so that contexts elsewhere are notified. Otherwise the whole history is discarded.
    ///   - willBegin: Called at the start of each phase.
    /// - Throws: `UnfinishedErasure` once rows or traces have been removed. Earlier, with nothing written: `DeleteError`
    ///   (`storeMoved` if the plan differs from `shown`), `StoreAccessError.readOnly`, `.notEnoughDisk` if there is no
    ///   room to rewrite the file, `SQLiteError`.
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
        // If this fails, later deletes are slower; there is no other effect.
        defer { _ = try? pool.withWriter { try $0.overwriteFreedPages(usual) } }
        var result = ErasureResult()
        var transaction: Int64?
        if let request {
            let meter = ProgressMeter()
            willBegin(.deleting(meter))
            let deleted = try delete(request, expecting: shown, meter)
            result.plan = deleted.plan
            transaction = tellsOthers ? deleted.transactionNumber : nil
        }
        do {
            willBegin(.forgetting)
            try eraseTraces(upTo: transaction, &result)
            let meter = ProgressMeter()
            willBegin(.compacting(meter))
            result.isLogEmpty = try compact(environment, meter)
        } catch  where result.hasErased {
            throw UnfinishedErasure(plan: result.plan, reason: error)
        }
        return result
    }

    private func delete(
        _ request: DeleteRequest, expecting shown: DeletePlan?, _ meter: ProgressMeter
    ) throws -> SavedRows {
        var request = request
        request.recovery = .none
        let rows = Progress(totalUnitCount: -1)
        request.meter = RowMeter(rows)
        defer { meter.report(1) }
        return try meter.watching({ rows.isIndeterminate ? nil : rows.fractionCompleted }) {
            try shown.map { try execute($0, of: request) } ?? delete(request)
        }
    }

    /// - Parameter transaction: The first transaction to keep in the history; `nil` to keep none.
    private func eraseTraces(upTo transaction: Int64?, _ result: inout ErasureResult) throws {
        result.purgedDeletes = try purge(.everything)
        if let newest = try historyToken()?.number(of: identifier) {
            let (first, overflows) = newest.addingReportingOverflow(1)
            result.prunedTransactions = try pruneHistory(before: .number(transaction ?? (overflows ? .max : first)))
        }
        result.clearedTombstones = try clearTombstones()
    }

    /// Returns the traces that `erase` without a request would remove. Only reads.
    /// - Throws: `SQLiteError`.
    package func eraseTraces() throws -> EraseTraces {
        let table = HistoryTables.Transaction.table
        return EraseTraces(
            archivedDeletes: try archivedDeletes(),
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

    /// - Returns: The number of changes that had values.
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
    /// Sets whether SQLite overwrites deleted content.
    /// - Parameter setting: A value of the pragma `secure_delete`.
    /// - Returns: The previous setting.
    fileprivate func overwriteFreedPages(_ setting: String) throws -> String {
        let words: [Int64: String] = [0: "OFF", 1: "ON", 2: "FAST"]
        let former = try withStatement("PRAGMA secure_delete") { try $0.step() ? words[$0.integer(at: 0)] : nil }
        try execute("PRAGMA secure_delete = \(setting)")
        return former ?? "OFF"
    }
}
