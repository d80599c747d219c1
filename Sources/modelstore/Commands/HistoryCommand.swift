import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "What was saved when, and what it changed.",
        discussion: """
            The newest 20 transactions are shown unless --limit or --after say otherwise; --export writes all of them, one \
            JSON object in each line.

            EXAMPLES
              modelstore history default.store
              modelstore history default.store --object Item/p12
              modelstore history default.store -f
              modelstore history default.store --export > history.ndjson
            """)

    @OptionGroup var store: StoreArgument

    @Option(name: .long, help: ArgumentHelp("Only transactions after this one.", valueName: "number"))
    var after: Int64?

    @Option(name: [.short, .long], help: "The most transactions to show, the newest ones; 0 for all.")
    var limit: Int?

    @Option(name: .long, help: ArgumentHelp("Only what happened to one object, such as Item/p12.", valueName: "object"))
    var object: String?

    @Flag(name: [.customShort("f"), .long], help: "Go on, and show what others save as they save it. Ctrl-C ends it.")
    var follow = false

    @Flag(name: .long, help: "Write all transactions, one JSON object in each line.")
    var export = false

    @OptionGroup var format: FormatOptions

    private static let tableLimit = 20

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        if let after, after < 0 { throw ValidationError("--after must not be negative.") }
        if export, format.format == .csv || format.format == .json {
            throw ValidationError("--export writes NDJSON; leave --format out.")
        }
    }

    func run() throws {
        // Taken before anything is read, as others may save meanwhile.
        let stamps = Stamps(store.url)
        let (last, writer) = try showKept()
        guard follow else { return try writer.finish() }
        try followOthers(from: last, seen: stamps, writer)
    }

    private var effectiveFormat: OutputFormat { export ? .ndjson : format.format }

    /// - Returns: number of the newest transaction, and what others are to be written with.
    private func showKept() throws -> (newest: Int64, writer: HistoryWriter) {
        try store.withStore { store in
            let newest = try store.historyToken()?.number(of: store.identifier)
            guard let newest else { throw HistoryError.notKept(store: store.identifier) }
            let writer = HistoryWriter(
                effectiveFormat, model: store.model, object: try object.map { try ObjectAddress($0).id(in: store) })
            let most =
                limit.map { $0 == 0 ? nil : $0 } ?? (effectiveFormat == .table && after == nil ? Self.tableLimit : nil)
            let start = try most.map { try firstShown(of: $0, newest: newest, store) } ?? after ?? 0
            var left = most ?? Int.max
            try pages(after: start, store) { transaction in
                guard left > 0 else { return }
                if try writer.write(transaction) { left -= 1 }
            }
            return (newest, writer)
        }
    }

    /// Calls the body with each transaction after a number.
    private func pages(after number: Int64, _ store: SQLiteStore, _ body: (HistoryTransaction) throws -> Void) throws {
        // A number from before the oldest transaction means: all there are.
        var token: HistoryToken? = number > 0 ? HistoryToken([store.identifier: number]) : nil
        while true {
            try Interruption.check()
            let page: [HistoryTransaction]
            do {
                page = try store.history(after: token)
            } catch HistoryError.tokenExpired where token != nil && number > 0 {
                throw InspectionError.badInput(
                    "The history does not go on from transaction \(number): what followed is forgotten, or there is none."
                )
            }
            guard let last = page.last else { return }
            for transaction in page { try body(transaction) }
            token = last.token
        }
    }

    /// The number before the last so many of the transactions that may be shown: looked for from the end, further back each
    /// time.
    private func firstShown(of count: Int, newest: Int64, _ store: SQLiteStore) throws -> Int64 {
        let wanted = try object.map { try ObjectAddress($0).id(in: store) }
        let floor = after ?? 0
        var span = Int64(count)
        while true {
            // Where the oldest are forgotten, all there are.
            let place = max(floor, newest > span ? newest - span : 0)
            let start = try place == floor || hasHistory(after: place, store) ? place : floor
            var numbers: [Int64] = []
            try pages(after: start, store) { transaction in
                if wanted.map({ id in transaction.changes.contains { $0.id.key == id.key && $0.id == id } }) ?? true {
                    numbers.append(transaction.number)
                }
            }
            if numbers.count >= count || start == floor { return numbers.suffix(count).first.map { $0 - 1 } ?? start }
            span = span > newest / 8 ? newest : span * 8
        }
    }

    private func hasHistory(after number: Int64, _ store: SQLiteStore) throws -> Bool {
        do {
            _ = try store.history(after: HistoryToken([store.identifier: number]), limit: 1)
            return true
        } catch HistoryError.tokenExpired {
            return false
        }
    }

    // MARK: Following

    /// Looks at the files' stamps once in a while, and reads only when they are others than before.
    private func followOthers(from first: Int64, seen stamps: Stamps, _ writer: HistoryWriter) throws {
        var last = first
        var seen = stamps
        // While an app only adds to its log, only the log is copied anew.
        var file: InspectedFile?
        if effectiveFormat == .table { Output.note("Waiting for changes; Ctrl-C ends it.") }
        while !Interruption.isRequested {
            usleep(250_000)
            let stamps = Stamps(store.url)
            guard stamps != seen else { continue }
            do {
                let now = try InspectedFile(store.url, reusing: file)
                last = try showNew(after: last, now, writer)
                (file, seen) = (now, stamps)
            } catch DatabaseFileError.busy, DatabaseFileError.changed {
                continue
            }
        }
        try writer.finish(saysNothing: true)
        throw Stopped(message: "")
    }

    private struct Stamps: Equatable {
        let database: FileStamp?
        let log: FileStamp?

        init(_ url: URL) {
            // The log lies beside the file itself, not beside a link to it.
            let url = url.absoluteURL.resolvingSymlinksInPath()
            database = FileStamp(url)
            log = FileStamp(URL(fileURLWithPath: url.path + "-wal"))
        }
    }

    private func showNew(after number: Int64, _ file: InspectedFile, _ writer: HistoryWriter) throws -> Int64 {
        let store = try file.store()
        let newest = try store.historyToken()?.number(of: store.identifier) ?? number
        guard newest > number else { return newest }
        try pages(after: number, store) { _ = try writer.write($0) }
        try Output.standard.flush()
        return newest
    }
}

/// Writes transactions in a format, as they come.
final class HistoryWriter {
    private let format: OutputFormat
    private let model: Model
    private let object: ObjectID?
    private var count = 0

    private static let mostChanges = 12

    init(_ format: OutputFormat, model: Model, object: ObjectID?) {
        self.format = format
        self.model = model
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
        let who = [transaction.author, transaction.processID, transaction.bundleID].compactMap { $0 }.filter {
            !$0.isEmpty
        }
        var head = TonedLine("#\(transaction.number)", .strong)
            .adding("  \(DateText.readable(transaction.timestamp))")
            .adding("  +\(Amounts.count(counts.inserted))", counts.inserted > 0 ? .good : .dim)
            .adding(" ~\(Amounts.count(counts.updated))", counts.updated > 0 ? .warning : .dim)
            .adding(" -\(Amounts.count(counts.deleted))", counts.deleted > 0 ? .bad : .dim)
        if !who.isEmpty { head = head.adding("  " + unique(who).joined(separator: ", "), .dim) }
        try Output.standard.line(Terminal.paint(head))
        let changes = listing.changes
        let width = changes.map(\.id.address.count).max() ?? 0
        let lines = changes.count > Self.mostChanges ? summary(changes) : changes.map { line($0, width) }
        for line in lines { try Output.standard.line(Terminal.paint(line)) }
    }

    /// Of many changes, how many of each kind there are of each entity.
    private func summary(_ changes: [HistoryListing.Change]) -> [TonedLine] {
        ["insert", "update", "delete"].compactMap { kind in
            let groups = Dictionary(grouping: changes.filter { $0.kind == kind }, by: \.id.entityName)
            guard !groups.isEmpty else { return nil }
            let counts = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
                .map { "\(Amounts.count($0.value.count)) \($0.key)" }
            return Self.sign(kind).adding(counts.joined(separator: ", "))
        }
    }

    private static func sign(_ kind: String) -> TonedLine {
        switch kind {
        case "insert": TonedLine("   + ", .good)
        case "update": TonedLine("   ~ ", .warning)
        default: TonedLine("   - ", .bad)
        }
    }

    private func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func line(_ change: HistoryListing.Change, _ width: Int) -> TonedLine {
        let padding = String(repeating: " ", count: width - change.id.address.count + 2)
        let more = change.mayMissSome ? (change.properties.isEmpty ? "(properties not known)" : ", …") : ""
        let detail =
            change.kind == "update"
            ? change.properties.joined(separator: ", ") + more
            : change.kept.map { "\($0.name): \($0.value.cellText)" }.joined(separator: ", ")
        return Self.sign(change.kind).adding(change.id.address + (detail.isEmpty ? "" : padding)).adding(detail, .dim)
    }
}
