import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add rows from JSON or CSV.",
        discussion: """
            Reads what `export` writes. All rows are new ones, with links among them kept; a row whose value must be unique \
            and is there already replaces that row's values. It is all or nothing.

            EXAMPLES
              modelstore import default.store all.json       (tells what would come)
              modelstore import default.store all.json --write
              modelstore import new.store folder --model-of default.store --write
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "A file of JSON or ndjson, or a folder of CSV files.", completion: .file())
    var input: String

    @Option(
        name: .long, help: ArgumentHelp("Make the store anew, with the model of this one.", valueName: "file"),
        completion: .file())
    var modelOf: String?

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let source = try ImportSource(URL(fileURLWithPath: input))
        guard let modelOf else { return try addToExisting(source) }
        guard !FileManager.default.fileExists(atPath: store.url.path) else {
            throw InspectionError.alreadyThere(store.url.path)
        }
        let model = try StoreArgument.inspecting(URL(fileURLWithPath: modelOf)) { try $0.store().model }
        let rows = try read(source, model)
        try show(rows)
        tellOfDerived(model)
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        do {
            try save(rows, try SQLiteStore(model: model, location: .file(store.url)), nil)
        } catch {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.url.path + suffix) }
            throw error
        }
    }

    private func read(_ source: ImportSource, _ model: Model) throws -> RowImport {
        var progress = ProgressLine("Reading \(URL(fileURLWithPath: input).lastPathComponent)")
        defer { progress.end() }
        var current = RowImport.Phase.reading
        return try RowImport(model, source) { phase, done, total in
            if phase != current {
                current = phase
                progress.end()
                progress = ProgressLine("Linking")
            }
            progress.update(done, of: total)
            try Interruption.check()
        }
    }

    private func tellOfDerived(_ model: Model) {
        for failure in SchemaLayout(model).uncomputed {
            Output.note("Note: \(failure) It stays empty in the new store.")
        }
    }

    /// Everything is read and checked before the file is opened for writing, or copied.
    private func addToExisting(_ source: ImportSource) throws {
        let model = try store.withStore { $0.model }
        let rows = try read(source, model)
        try show(rows)
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        guard rows.rowCount > 0 else { return try tell(0, replaced: 0, nil) }
        guard try options.confirm("Import \(Amounts.count(rows.rowCount, "row"))?", changing: store.url) else {
            return Output.note("Nothing was imported.")
        }
        try options.writing(store.url) { opened in
            guard opened.store.model.versionHashes == model.versionHashes else {
                throw InspectionError.badInput("The store changed meanwhile; try again.")
            }
            try save(rows, opened.store, opened.backup)
        }
    }

    /// Programs are told once, at the end.
    private func show(_ rows: RowImport) throws {
        guard format.isTable || !options.write else { return }
        let counts = rows.counts
        let text = counts.map { "\(Amounts.count($0.count)) \($0.entity)" }.joined(separator: ", ")
        try format.write(
            Report(
                counts.isEmpty ? "There is nothing to import." : "To import: \(text).",
                counts.map { InspectedField($0.entity, .count($0.count)) }))
    }

    private func save(_ rows: RowImport, _ store: SQLiteStore, _ backup: URL?) throws {
        let progress = ProgressLine("Importing")
        defer { progress.end() }
        let replaced = try Interruption.stopping(store) {
            try rows.save(to: store, author: "modelstore") { done in
                progress.update(Int64(done), of: Int64(rows.rowCount))
                try Interruption.check()
            }
        }
        progress.end()
        try tell(rows.rowCount, replaced: replaced, backup)
    }

    private func tell(_ count: Int, replaced: Int, _ backup: URL?) throws {
        let note = replaced > 0 ? ", \(Amounts.count(replaced)) of them into rows that were there" : ""
        try format.write(
            Report(
                "\(Amounts.count(count, "row")) imported\(note).",
                [
                    InspectedField("imported", .count(count)), InspectedField("replaced", .count(replaced)),
                    InspectedField("backup", .optional(backup?.path)),
                ]))
    }
}
