import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Writes transactions in a format, one by one.
final class HistoryWriter {
    /// The identifier of the transactions' store.
    let storeIdentifier: String
    /// Whether a transaction has been written in part, so that the rest must follow.
    private(set) var isUnderWay = false
    private let format: OutputFormat
    private var count = 0

    private static let mostChanges = 12

    init(_ format: OutputFormat, of storeIdentifier: String) {
        self.format = format
        self.storeIdentifier = storeIdentifier
    }

    /// - Parameter check: called before a page that was read is written; throws to discard it.
    /// - Throws: `HistoryError`, `SQLiteError`, `OutputError`, `Stopped`, and errors of `check`.
    func write(
        _ transaction: HistoryTransaction, in listing: HistoryListing, check: () throws -> Void = {}
    ) throws {
        switch format {
        case .table: try writeText(transaction, listing, check)
        case .ndjson: try writeJSON(transaction, listing, before: "", after: "\n", check)
        case .json: try writeJSON(transaction, listing, before: count == 0 ? "[\n  " : ",\n  ", after: "", check)
        case .csv: try writeCSV(transaction, listing, check)
        }
        count += 1
        isUnderWay = false
    }

    func finish(saysNothing: Bool = false) throws {
        switch format {
        case .table where count == 0 && !saysNothing: try Output.standard.line("No transactions.")
        case .json: try Output.standard.line(count == 0 ? "[]" : "\n]")
        default: break
        }
    }

    // MARK: JSON

    /// Writes a transaction as a JSON object, with only a page of its changes in memory.
    private func writeJSON(
        _ transaction: HistoryTransaction, _ listing: HistoryListing, before: String, after: String,
        _ check: () throws -> Void
    ) throws {
        let head = before + InspectedValue.fields(transaction.fields).json().dropLast() + ",\"changes\":["
        var separator = head
        try forEachPage(of: transaction, listing, check) { changes in
            for change in changes {
                try Output.standard.write(separator + change.value.json())
                separator = ","
            }
        }
        // For a transaction without changes, nothing is written yet.
        if !isUnderWay { try Output.standard.write(head) }
        try Output.standard.write("]}" + after)
    }

    private func writeCSV(
        _ transaction: HistoryTransaction, _ listing: HistoryListing, _ check: () throws -> Void
    ) throws {
        if count == 0 { try Output.standard.line("number,time,author,process,kind,object,properties") }
        try forEachPage(of: transaction, listing, check) { changes in
            for change in changes {
                try Output.standard.line(
                    InspectedValue.csvLine([
                        .integer(transaction.number), .optional(DateText.exact(transaction.timestamp)),
                        .optional(transaction.author), .optional(transaction.processID), .text(change.kind),
                        .text(change.id.address), .texts(change.properties + change.unnamed),
                    ]))
            }
        }
    }

    private func forEachPage(
        of transaction: HistoryTransaction, _ listing: HistoryListing, _ check: () throws -> Void,
        _ body: ([HistoryListing.Change]) throws -> Void
    ) throws {
        try listing.forEachPage(of: transaction) { changes in
            try Interruption.check()
            try check()
            isUnderWay = true
            try body(changes)
        }
    }

    // MARK: Text

    private func writeText(
        _ transaction: HistoryTransaction, _ listing: HistoryListing, _ check: () throws -> Void
    ) throws {
        let entry = try listing.entry(transaction, changes: Self.mostChanges)
        try check()
        try Output.standard.line(Terminal.paint(head(of: entry)))
        let width = entry.changes.map(\.id.address.count).max() ?? 0
        let lines =
            entry.counts.total > Self.mostChanges ? summary(entry.counts) : entry.changes.map { line($0, width) }
        for line in lines { try Output.standard.line(Terminal.paint(line)) }
    }

    private func head(of entry: HistoryListing.Entry) -> TonedLine {
        let sums = entry.counts.sums
        let head = TonedLine("#\(entry.transaction.number)", .strong)
            .adding("  \(DateText.readable(entry.transaction.timestamp))")
            .adding("  +\(Amounts.count(sums.inserted))", sums.inserted > 0 ? .good : .dim)
            .adding(" ~\(Amounts.count(sums.updated))", sums.updated > 0 ? .warning : .dim)
            .adding(" -\(Amounts.count(sums.deleted))", sums.deleted > 0 ? .bad : .dim)
        let who = entry.transaction.who.joined(separator: ", ")
        return who.isEmpty ? head : head.adding("  " + who, .dim)
    }

    private func summary(_ counts: HistoryCounts) -> [TonedLine] {
        counts.summary.map { Self.sign($0.kind).adding($0.text) }
    }

    private static func sign(_ kind: String) -> TonedLine {
        switch kind {
        case "insert": TonedLine("   + ", .good)
        case "update": TonedLine("   ~ ", .warning)
        default: TonedLine("   - ", .bad)
        }
    }

    private func line(_ change: HistoryListing.Change, _ width: Int) -> TonedLine {
        let padding = String(repeating: " ", count: width - change.id.address.count + 2)
        return Self.sign(change.kind).adding(change.id.address + (change.detail.isEmpty ? "" : padding))
            .adding(change.detail, .dim)
    }
}
