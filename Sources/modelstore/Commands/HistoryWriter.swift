import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Writes transactions in a format, as they come.
final class HistoryWriter {
    /// Whose transactions they are.
    let store: String
    /// As of the last transactions that were read: the file may be migrated while it is followed.
    var model: Model
    private let format: OutputFormat
    private let object: ObjectID?
    private var count = 0

    private static let mostChanges = 12

    init(_ format: OutputFormat, _ store: SQLiteStore, object: ObjectID?) {
        self.format = format
        self.store = store.identifier
        model = store.model
        self.object = object
    }

    /// - Returns: whether the transaction was one to write.
    func write(_ transaction: HistoryTransaction) throws -> Bool {
        var transaction = transaction
        if let object {
            transaction.changes.removeAll { $0.id != object }
            if transaction.changes.isEmpty { return false }
        }
        let listing = HistoryListing(transaction, in: model)
        switch format {
        case .table: try writeText(listing)
        case .ndjson: try Output.standard.line(listing.value.json())
        case .json: try Output.standard.write((count == 0 ? "[\n  " : ",\n  ") + listing.value.json())
        case .csv: try writeCSV(listing)
        }
        count += 1
        return true
    }

    func finish(saysNothing: Bool = false) throws {
        switch format {
        case .table where count == 0 && !saysNothing: try Output.standard.line("No transactions.")
        case .json: try Output.standard.line(count == 0 ? "[]" : "\n]")
        default: break
        }
    }

    private func writeCSV(_ listing: HistoryListing) throws {
        if count == 0 { try Output.standard.line("number,time,author,process,kind,object,properties") }
        let transaction = listing.transaction
        for change in listing.changes {
            try Output.standard.line(
                InspectedValue.csvLine([
                    .integer(transaction.number), .optional(DateText.exact(transaction.timestamp)),
                    .optional(transaction.author), .optional(transaction.processID), .text(change.kind),
                    .text(change.id.address), .texts(change.properties),
                ]))
        }
    }

    // MARK: For people

    private func writeText(_ listing: HistoryListing) throws {
        let transaction = listing.transaction
        let counts = listing.counts
        var head = TonedLine("#\(transaction.number)", .strong)
            .adding("  \(DateText.readable(transaction.timestamp))")
            .adding("  +\(Amounts.count(counts.inserted))", counts.inserted > 0 ? .good : .dim)
            .adding(" ~\(Amounts.count(counts.updated))", counts.updated > 0 ? .warning : .dim)
            .adding(" -\(Amounts.count(counts.deleted))", counts.deleted > 0 ? .bad : .dim)
        let who = listing.who.joined(separator: ", ")
        if !who.isEmpty { head = head.adding("  " + who, .dim) }
        try Output.standard.line(Terminal.paint(head))
        let changes = listing.changes
        let width = changes.map(\.id.address.count).max() ?? 0
        let lines = changes.count > Self.mostChanges ? summary(changes) : changes.map { line($0, width) }
        for line in lines { try Output.standard.line(Terminal.paint(line)) }
    }

    private func summary(_ changes: [HistoryListing.Change]) -> [TonedLine] {
        HistoryListing.summary(changes).map { Self.sign($0.kind).adding($0.text) }
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
