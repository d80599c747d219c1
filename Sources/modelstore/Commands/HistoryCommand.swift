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
                effectiveFormat, store, object: try object.map { try ObjectAddress($0).id(in: store) })
            let most =
                limit.map { $0 == 0 ? nil : $0 } ?? (effectiveFormat == .table && after == nil ? Self.tableLimit : nil)
            let start = try most.map { try firstShown(of: $0, newest: newest, store) } ?? after ?? 0
            var left = most ?? Int.max
            try pages(after: start, store) { page in
                for transaction in page where left > 0 { if try writer.write(transaction) { left -= 1 } }
            }
            return (newest, writer)
        }
    }

    /// Calls the body with the transactions after a number, as many at once as are read at once.
    private func pages(
        after number: Int64, _ store: SQLiteStore, _ body: ([HistoryTransaction]) throws -> Void
    ) throws {
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
            try body(page)
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
            try pages(after: start, store) { page in
                for transaction in page
                where wanted.map({ id in transaction.changes.contains { $0.id.key == id.key && $0.id == id } }) ?? true
                {
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
            let stamps = Stamps(store.url)
            if stamps != seen {
                do {
                    let now = try InspectedFile(store.url, reusing: file)
                    try showNew(after: &last, now, writer)
                    (file, seen) = (now, stamps)
                } catch DatabaseFileError.busy, DatabaseFileError.changed {}
            }
            usleep(250_000)
        }
        try writer.finish(saysNothing: true)
        throw Stopped(message: "")
    }

    private struct Stamps: Equatable {
        let database: FileStamp?
        let log: FileStamp?

        /// The log lies beside the file itself, not beside a link to it.
        init(_ url: URL) {
            let url = url.absoluteURL.resolvingSymlinksInPath()
            database = FileStamp(url)
            log = FileStamp(URL(fileURLWithPath: url.path + "-wal"))
        }
    }

    /// - Parameter last: number of the last transaction that was shown.
    private func showNew(after last: inout Int64, _ file: InspectedFile, _ writer: HistoryWriter) throws {
        let store = try file.store()
        try checkSame(store, writer)
        guard let newest = try store.historyToken()?.number(of: store.identifier) else {
            throw HistoryError.notKept(store: store.identifier)
        }
        if newest < last {
            try file.checkUnchanged()
            Output.note("Note: The file was put back to an earlier state, that of transaction \(newest).")
            last = newest
        }
        guard newest > last else { return }
        writer.model = store.model
        try pages(after: last, store) { page in
            // Before anything of it is shown.
            try file.checkUnchanged()
            for transaction in page {
                _ = try writer.write(transaction)
                last = transaction.number
            }
        }
        try Output.standard.flush()
    }

    /// Another store's transactions have numbers of their own, and are of other objects.
    private func checkSame(_ store: SQLiteStore, _ writer: HistoryWriter) throws {
        guard store.identifier != writer.store else { return }
        throw InspectionError.badInput(
            "The file at \(self.store.url.path) was replaced by another store; run the command again to follow that one."
        )
    }
}
