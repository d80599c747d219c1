import SQLiteStore
import StoreInspection

/// A preview of what `erase --traces` removes.
struct TracesReport {
    private let traces: EraseTraces
    private let deletes: [ArchivedDeletionGroup]
    /// In bytes.
    private let freeSize: Int64
    private let logSize: Int64

    init(_ traces: EraseTraces, _ file: InspectedFile) {
        self.traces = traces
        deletes = ArchivedDeletionSelection(traces.archivedDeletes).groups
        freeSize = Int64(file.facts.freePageCount) * file.facts.pageSize
        logSize = file.untouched.file.logSize
    }

    var report: Report {
        let rows = deletes.map(\.rowCount).saturatingSum()
        var report = Report(TonedLine("Traces of earlier deletes", .strong))
        func add(_ name: String, _ count: Int, _ text: String) {
            report.fields.append(InspectedField(name, .count(count)))
            if count > 0 { report.lines.append(TonedLine("  \(text)")) }
        }
        add(
            "recoverableDeletes", deletes.count,
            "\(Amounts.count(deletes.count, "recoverable delete")) of \(Amounts.count(rows, "row"))")
        for delete in deletes { report.lines.append(TonedLine("    \(delete.token)  \(delete.summary)", .dim)) }
        add("transactions", traces.transactions, "\(Amounts.count(traces.transactions, "transaction")) of the history")
        add(
            "tombstones", traces.tombstones,
            "values of \(Amounts.count(traces.tombstones, "deleted object")) in the history")
        add("freeBytes", Int(clamping: freeSize), "\(Amounts.bytes(freeSize)) of free pages")
        add("logBytes", Int(clamping: logSize), "\(Amounts.bytes(logSize)) in the write-ahead log")
        if report.lines.count == 1 {
            report.lines = ["Nothing is kept of earlier deletes; remains between rows would be overwritten."]
        }
        return report
    }
}
