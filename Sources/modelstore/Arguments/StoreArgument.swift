import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The file a command is about.
struct StoreArgument: ParsableArguments {
    @Argument(help: "A store's file, such as default.store or App.sqlite.", completion: .file())
    var file: String

    var url: URL { URL(fileURLWithPath: file) }

    func validate() throws {
        if file.isEmpty { throw ValidationError("Give the path of a store's file.") }
    }

    /// - Throws: `ValidationError` for a name under which SQLite looks for what belongs to the store.
    func checkIsNoPart(_ output: String) throws {
        let target = URL(fileURLWithPath: output).standardizedFileURL
        let folder = target.deletingLastPathComponent().resolvingSymlinksInPath()
        let path = folder.appendingPathComponent(target.lastPathComponent).path
        let own = url.standardizedFileURL.resolvingSymlinksInPath().path
        guard ["-wal", "-shm", "-journal"].contains(where: { path == own + $0 }) else { return }
        throw ValidationError("\(output) is the name of a part of the store; choose another.")
    }

    /// As it can be typed into a shell again.
    var typed: String {
        let isPlain = file.unicodeScalars.allSatisfy {
            "/._-+~".unicodeScalars.contains($0) || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return isPlain ? file : "'\(file.replacingScalar("'", with: "'\\''"))'"
    }

    /// Opens the file to look at it, and hands it on. What there is to know about its state is told on standard error.
    func inspecting<Result>(_ body: (InspectedFile) throws -> Result) throws -> Result {
        try Self.inspecting(url, body)
    }

    static func inspecting<Result>(_ url: URL, _ body: (InspectedFile) throws -> Result) throws -> Result {
        let file = try open(url)
        // A private copy goes before the command ends, whatever still holds on to the file.
        defer { file.close() }
        for note in file.notes { Output.note("Note: \(note)") }
        let progress = ProgressLine("Reading \(url.lastPathComponent)")
        defer { progress.end() }
        let result = try file.telling { try body(file) }
        progress.end()
        try Output.standard.flush()
        try file.checkUnchanged()
        return result
    }

    private static func open(_ url: URL) throws -> InspectedFile {
        let progress = ProgressLine("Copying \(url.lastPathComponent)")
        defer { progress.end() }
        return try InspectedFile(url) { done, total in
            progress.update(done, of: total)
            try Interruption.check()
        }
    }

    /// Opens the store to read it.
    func reading<Result>(_ body: (SQLiteStore, StoreReading) throws -> Result) throws -> Result {
        try inspecting { file in
            let store = try file.store()
            return try Interruption.stopping(store) { try store.reading { try body(store, $0) } }
        }
    }

    func withStore<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
        try inspecting { file in
            let store = try file.store()
            return try Interruption.stopping(store) { try body(store) }
        }
    }
}

/// What commands that change a store have in common.
struct WriteOptions: ParsableArguments {
    @Flag(name: .long, help: "Really change the file. Without it nothing is written.")
    var write = false

    @Flag(name: .long, help: "Make no copy of the file before it is changed.")
    var noBackup = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @Flag(name: .long, help: "Write even though another process has the file open.")
    var inUse = false

    private var othersRule: WritableStore.OthersRule { inUse ? .writeBeside : .refuse }

    /// Asks, once it is seen that the file can be changed.
    /// - Returns: whether to go on.
    /// - Throws: what `WritableStore.check` throws; `InspectionError` where nobody can be asked.
    func confirm(_ question: String, changing url: URL) throws -> Bool {
        try WritableStore.check(url, others: othersRule)
        if yes { return true }
        guard Terminal.inputIsTerminal else {
            throw InspectionError.badInput("There is nobody to ask; give --yes to go on without asking.")
        }
        Output.tell("\(question) [y/N] ")
        // Nothing goes on while the question stands, so that there is nothing to clean up.
        let answer = try Interruption.stopping({ _exit(Interruption.exitCode) }) { readLine()?.lowercased() }
        // At the end of input nothing was typed that ends the line.
        if answer == nil { Output.tell("\n") }
        return answer == "y" || answer == "yes"
    }

    /// Opens the store for writing, after a backup of it unless that is not wanted.
    func writing<Result>(
        _ url: URL, makesBackup: Bool = true, _ body: (WritableStore) throws -> Result
    ) throws -> Result {
        let rule: WritableStore.BackupRule = makesBackup && !noBackup ? .make : .none
        let progress = ProgressLine("\(rule == .make ? "Backing up" : "Reading") \(url.lastPathComponent)")
        let opened = try {
            defer { progress.end() }
            return try WritableStore.open(
                url, others: othersRule, backup: rule
            ) { done, total in
                progress.update(done, of: total)
                try Interruption.check()
            }
        }()
        if let backup = opened.backup { Output.note("Backup: \(backup.path)") }
        let store = opened.store
        do {
            let result = try Interruption.stopping(store) { try body(opened) }
            try Output.standard.flush()
            return result
        } catch {
            if opened.removeNeedlessBackup() { Output.note("Nothing was changed; the backup was removed.") }
            throw error
        }
    }

    static let dryRun = "Nothing was written. Give --write to do it."
}

/// A condition that rows must meet.
struct PredicateOption: ParsableArguments {
    @Option(
        name: [.customShort("w"), .customLong("where")],
        // It may begin with a sign.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which rows: a predicate in the format of NSPredicate.", valueName: "predicate"))
    var predicate: String?
}

/// Which rows of an entity are meant.
struct RowArguments: ParsableArguments {
    @Argument(help: "The entity (model class), such as Item.", completion: NameCompletion.entities)
    var entity: String

    @OptionGroup var filter: PredicateOption

    var selection: RowSelection { RowSelection(entity, predicate: filter.predicate) }
}
