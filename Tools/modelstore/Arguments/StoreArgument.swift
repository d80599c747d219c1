import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The store's file.
struct StoreArgument: ParsableArguments {
    @Argument(help: "A store's file, such as default.store or App.sqlite.", completion: .file())
    var file: String

    @OptionGroup var model: ModelArgument

    var url: URL { URL(fileURLWithPath: file) }

    func validate() throws {
        if file.isEmpty { throw ValidationError("Give the path of a store's file.") }
    }

    /// - Throws: `ValidationError` if the output has the name of a file that SQLite treats as part of the store.
    func checkIsNoPart(_ output: String) throws {
        let target = URL(fileURLWithPath: output).standardizedFileURL
        let folder = target.deletingLastPathComponent().resolvingSymlinksInPath()
        let path = folder.appendingPathComponent(target.lastPathComponent).path
        let own = url.standardizedFileURL.resolvingSymlinksInPath().path
        guard ["-wal", "-shm", "-journal"].contains(where: { path == own + $0 }) else { return }
        throw ValidationError("\(output) is the name of a part of the store; choose another.")
    }

    /// A command to run next on the same file, with this command's options that it needs.
    func command(_ name: String, _ arguments: String, _ options: WriteOptions) -> String {
        var words = ["modelstore", name, Self.typed(file), arguments, "--write"]
        if let path = model.path { words += ["--model", Self.typed(path)] }
        if options.runTriggers { words.append("--run-triggers") }
        if options.inUse { words.append("--in-use") }
        return words.joined(separator: " ")
    }

    /// A path quoted for the shell if necessary.
    private static func typed(_ path: String) -> String {
        let isPlain = path.unicodeScalars.allSatisfy {
            "/._-+~".unicodeScalars.contains($0) || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return isPlain ? path : "'\(path.replacingScalar("'", with: "'\\''"))'"
    }

    /// Opens the file for inspection and runs the closure. Notes about the file's state are written to standard error.
    func inspecting<Result>(_ body: (InspectedFile) throws -> Result) throws -> Result {
        try Self.inspecting(url, model, body)
    }

    static func inspecting<Result>(
        _ url: URL, _ model: ModelArgument, _ body: (InspectedFile) throws -> Result
    ) throws -> Result {
        let file = try open(url, try model.versions())
        // Removes a private copy before the command ends, even if the file is still referenced.
        defer { file.close() }
        for note in file.notes { Output.note("Note: \(note)") }
        let progress = ProgressLine("Reading \(url.lastPathComponent)")
        defer { progress.end() }
        let result = try file.describingErrors { try body(file) }
        progress.end()
        try Output.standard.flush()
        try file.checkUnchanged()
        return result
    }

    private static func open(_ url: URL, _ models: ModelVersions?) throws -> InspectedFile {
        let progress = ProgressLine("Copying \(url.lastPathComponent)")
        defer { progress.end() }
        return try InspectedFile(url, models: models) { done, total in
            progress.update(done, of: total)
            try Interruption.check()
        }
    }

    /// Opens the store for reading. Unreadable values are marked; `tellOfMarks` reports them at the end.
    func reading<Result>(_ body: (SQLiteStore, StoreReading) throws -> Result) throws -> Result {
        try inspecting { file in
            let store = try file.store()
            return try Interruption.stopping(store) { try store.reading { try body(store, $0.markingUnreadable()) } }
        }
    }

    func withStore<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
        try inspecting { file in
            let store = try file.store()
            return try Interruption.stopping(store) { try body(store) }
        }
    }
}

/// Options of all commands that change a store.
struct WriteOptions: ParsableArguments {
    @Flag(name: .long, help: "Really change the file. Without it nothing is written.")
    var write = false

    @Flag(name: .long, help: "Make no copy of the file before it is changed.")
    var noBackup = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @Flag(name: .long, help: "Write even though another process has the file open.")
    var inUse = false

    @Flag(name: .long, help: "Write even though triggers of other programs are in the file, and will run.")
    var runTriggers = false

    private var othersRule: WritableStore.OthersRule { inUse ? .writeBeside : .refuse }

    /// Asks for confirmation after checking that the file can be changed.
    /// - Returns: whether to continue.
    /// - Throws: errors of `WritableStore.check`; `InspectionError` if standard input is no terminal.
    func confirm(_ question: String, changing url: URL) throws -> Bool {
        try WritableStore.check(url, others: othersRule)
        if yes { return true }
        guard Terminal.inputIsTerminal else {
            throw InspectionError.badInput("There is no terminal to ask on; give --yes to continue without asking.")
        }
        Output.writeToStandardError("\(question) [y/N] ")
        // No operation is running during the question, so the process can exit without cleanup.
        let answer = try Interruption.stopping({ _exit(Interruption.exitCode) }) { readLine()?.lowercased() }
        // At the end of input, the cursor is still on the line of the question.
        if answer == nil { Output.writeToStandardError("\n") }
        return answer == "y" || answer == "yes"
    }

    /// Opens the store for writing, after a backup unless disabled.
    /// - Parameter triggers: how to treat other programs' triggers; by default as the options say.
    func writing<Result>(
        _ file: StoreArgument, triggers rule: WritableStore.TriggerRule? = nil, makesBackup: Bool = true,
        _ body: (WritableStore) throws -> Result
    ) throws -> Result {
        let backup: WritableStore.BackupRule = makesBackup && !noBackup ? .make : .none
        let (url, models) = (file.url, try file.model.versions())
        let progress = ProgressLine("\(backup == .make ? "Backing up" : "Reading") \(url.lastPathComponent)")
        let opened = try {
            defer { progress.end() }
            return try WritableStore.open(
                url, models: models, others: othersRule, triggers: rule ?? (runTriggers ? .run : .refuse),
                backup: backup
            ) { done, total in
                progress.update(done, of: total)
                try Interruption.check()
            }
        }()
        if let backup = opened.backup { Output.note("Backup: \(backup.path)") }
        let store = opened.store
        do {
            let triggers = runTriggers ? try store.foreignTriggers() : []
            let before = triggers.isEmpty ? [] : try store.ownRowCounts()
            let result = try Interruption.stopping(store) { try body(opened) }
            if !triggers.isEmpty { try reportTriggers(triggers, before, store) }
            try Output.standard.flush()
            return result
        } catch {
            if opened.removeNeedlessBackup() { Output.note("Nothing was changed; the backup was removed.") }
            throw error
        }
    }

    /// Plans do not include the effect of triggers, so rows are counted before and after.
    private func reportTriggers(_ triggers: [ForeignTrigger], _ before: [Int], _ store: SQLiteStore) throws {
        let after = try store.ownRowCounts()
        let changes = zip(store.model.entities, zip(before, after)).compactMap { entity, counts -> String? in
            let change = counts.1 - counts.0
            return change == 0 ? nil : "\(entity.name) \(change > 0 ? "+" : "")\(Amounts.count(change))"
        }
        let text = changes.isEmpty ? "no entity has more or fewer rows" : changes.joined(separator: ", ")
        Output.note("With \(Amounts.count(triggers.count, "trigger")) of other programs, what really changed: \(text).")
    }

    static let dryRun = "Nothing was written. Give --write to do it."
}

/// An option with a predicate.
struct PredicateOption: ParsableArguments {
    @Option(
        name: [.customShort("w"), .customLong("where")],
        // A predicate may begin with a minus sign.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which rows: a predicate in the format of NSPredicate.", valueName: "predicate"))
    var predicate: String?
}

/// Arguments that select rows of an entity.
struct RowArguments: ParsableArguments {
    @Argument(help: "The entity (model class), such as Item.", completion: NameCompletion.entities)
    var entity: String

    @OptionGroup var filter: PredicateOption

    var selection: RowSelection { RowSelection(entity, predicate: filter.predicate) }
}
