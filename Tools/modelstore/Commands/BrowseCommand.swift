import ArgumentParser
import Dispatch
import Foundation
import ObjectGraph
import StoreBrowser

struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "A store in the web browser, on this machine only.",
        discussion: """
            Prints the address to open; it begins with a token that is new for every run. Without --write nothing can be \
            changed. With it, values and links can be edited and rows deleted: what would change is shown first, and can be \
            undone afterwards. The file is opened for writing, and copied before, only when the first change is confirmed. \
            Ctrl-C ends it.

            A word in the filter of a listing searches its rows, a predicate compares properties; the box at the top \
            searches all entities. Listings can be downloaded as CSV and JSON, and SQL that only reads can be run.

            Every page has a twin for programs, which ends in .json.

            EXAMPLES
              modelstore browse default.store
              modelstore browse default.store --write --port 8080
            """)

    @OptionGroup var store: StoreArgument

    @Option(name: [.short, .long], help: "The port to listen on; 0 for any that is free.")
    var port: UInt16 = 0

    @Flag(name: .long, help: "Let the page edit and delete rows, and undo it.")
    var write = false

    @Flag(name: .long, help: "Make no copy of the file before it is changed.")
    var noBackup = false

    @Flag(name: .long, help: "Change the file even though another process has it open.")
    var inUse = false

    @Option(name: .long, help: ArgumentHelp("Deletes of more rows are done in steps of so many.", valueName: "rows"))
    var step = 5_000

    @Option(name: .long, help: "Written to the history as the author of changes.")
    var author = "modelstore"

    func validate() throws {
        guard step > 0 else { throw ValidationError("--step is at least 1.") }
        if noBackup || inUse, !write {
            throw ValidationError("--no-backup and --in-use have a meaning with --write only.")
        }
    }

    func run() throws {
        var options = BrowserOptions(file: store.url)
        options.models = try store.model.versions()
        options.port = Int(port)
        options.mayWrite = write
        options.makesBackup = !noBackup
        options.writesBesideOthers = inUse
        options.rowsPerStep = step
        options.author = author
        let server = try BrowserServer(options)
        let name = store.url.lastPathComponent
        let outcome = Locked<Result<Void, any Error>>(.success(()))
        let isOver = DispatchSemaphore(value: 0)
        let task = Task {
            do {
                try await server.run { address in
                    try? Output.standard.line("\(name) is at \(address)")
                    try? Output.standard.flush()
                }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            isOver.signal()
        }
        try Interruption.stopping({ task.cancel() }) {
            isOver.wait()
            try outcome.withLock { $0 }.get()
        }
        try Interruption.check()
    }
}
