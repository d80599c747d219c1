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
        // Taken before reading, as other processes may save meanwhile.
        let stamps = Stamps(store.url)
        let shown: (newest: Int64, writer: HistoryWriter)
        do {
            shown = try showRecorded()
        } catch HistoryError.historyNotRecorded where !follow {
            return try showNone()
        }
        let (last, writer) = shown
        guard follow else { return try writer.finish() }
        try followOthers(from: last, seen: stamps, writer)
    }

    /// A store without history is no error.
    private func showNone() throws {
        if effectiveFormat == .table { return try Output.standard.line(Failure.noHistory) }
        try HistoryWriter(effectiveFormat, of: "").finish()
    }

    private var effectiveFormat: OutputFormat { export ? .ndjson : format.format }

    /// - Returns: the number of the newest transaction, and the writer for further ones.
    private func showRecorded() throws -> (newest: Int64, writer: HistoryWriter) {
        try store.withStore { store in
            let newest = try store.historyToken()?.number(of: store.identifier)
            guard let newest else { throw HistoryError.historyNotRecorded(store: store.identifier) }
            let writer = HistoryWriter(effectiveFormat, of: store.identifier)
            let listing = try listing(of: store)
            try pages(after: try start(listing), listing) { page in
                for transaction in page { try writer.write(transaction, in: listing) }
            }
            return (newest, writer)
        }
    }

    private func listing(of store: SQLiteStore) throws -> HistoryListing {
        HistoryListing(store, object: try object.map { try ObjectAddress($0).id(in: store) })
    }

    /// Calls the closure with each page of transactions after a number.
    private func pages(
        after number: Int64, _ listing: HistoryListing, _ body: ([HistoryTransaction]) throws -> Void
    ) throws {
        var last = number
        while true {
            try Interruption.check()
            let page: [HistoryTransaction]
            do {
                page = try listing.transactions(after: last)
            } catch HistoryError.tokenExpired where last == number {
                throw InspectionError.badInput(
                    "The history cannot be read from transaction \(number) on: later ones were forgotten, or it does not exist."
                )
            }
            guard let newest = page.last?.number else { return }
            try body(page)
            last = newest
        }
    }

    /// The number after which transactions are shown.
    private func start(_ listing: HistoryListing) throws -> Int64 {
        let most =
            limit.map { $0 == 0 ? nil : $0 } ?? (effectiveFormat == .table && after == nil ? Self.tableLimit : nil)
        guard let most else { return after ?? 0 }
        let shown = try listing.newest(most, after: after ?? 0)
        // Without a match, the given number is still passed on, so that a number that never existed is rejected.
        return shown.last.map { $0.number - 1 } ?? after ?? 0
    }

    // MARK: Following

    /// Polls the files' stamps, and reads only if they changed.
    private func followOthers(from first: Int64, seen stamps: Stamps, _ writer: HistoryWriter) throws {
        var last = first
        var seen = stamps
        // While an app only appends to its log, only the log is copied again.
        var file: InspectedFile?
        let models = try store.model.versions()
        if effectiveFormat == .table { Output.note("Waiting for changes; Ctrl-C ends it.") }
        while !Interruption.isRequested {
            let stamps = Stamps(store.url)
            if stamps != seen {
                do {
                    let now = try InspectedFile(store.url, models: models, reusing: file)
                    try showNew(after: &last, now, writer)
                    (file, seen) = (now, stamps)
                } catch DatabaseFileError.busy {
                } catch DatabaseFileError.changed where !writer.isUnderWay {
                }
            }
            usleep(250_000)
        }
        try writer.finish(saysNothing: true)
        throw Stopped(message: "")
    }

    private struct Stamps: Equatable {
        let database: FileStamp?
        let log: FileStamp?

        /// The log is next to the file itself, not next to a symbolic link to it.
        init(_ url: URL) {
            let url = url.absoluteURL.resolvingSymlinksInPath()
            database = FileStamp(url)
            log = FileStamp(URL(fileURLWithPath: url.path + "-wal"))
        }
    }

    /// - Parameter last: the number of the last transaction shown.
    private func showNew(after last: inout Int64, _ file: InspectedFile, _ writer: HistoryWriter) throws {
        let store = try file.store()
        try checkSame(store, writer)
        guard let newest = try store.historyToken()?.number(of: store.identifier) else {
            throw HistoryError.historyNotRecorded(store: store.identifier)
        }
        if newest < last {
            try file.checkUnchanged()
            Output.note("Note: The file was put back to an earlier state, that of transaction \(newest).")
            last = newest
        }
        guard newest > last else { return }
        let listing = try listing(of: store)
        try pages(after: last, listing) { page in
            for transaction in page {
                try writer.write(transaction, in: listing) { try file.checkUnchanged() }
                last = transaction.number
            }
        }
        try Output.standard.flush()
    }

    /// Another store has unrelated transaction numbers and objects.
    private func checkSame(_ store: SQLiteStore, _ writer: HistoryWriter) throws {
        guard store.identifier != writer.storeIdentifier else { return }
        throw InspectionError.badInput(
            "The file at \(self.store.url.path) was replaced by another store; run the command again to follow that one."
        )
    }
}
