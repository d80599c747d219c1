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

    func run() throws {
        let content = try ImportedContent(URL(fileURLWithPath: input))
        guard let modelOf else { return try addToExisting(content) }
        guard !FileManager.default.fileExists(atPath: store.url.path) else {
            throw InspectionError.alreadyThere(store.url.path)
        }
        let model = try StoreArgument.inspecting(URL(fileURLWithPath: modelOf)) { try $0.store().model }
        let changes = try RowImport(model, content).changes(author: "modelstore")
        try Output.standard.line(summary(content))
        tellOfDerived(model)
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        do {
            try save(changes, try SQLiteStore(model: model, location: .file(store.url)))
        } catch {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.url.path + suffix) }
            throw error
        }
    }

    private func tellOfDerived(_ model: Model) {
        let names = model.entities.flatMap { entity in
            ModelOutline.ownAttributes(entity).filter(\.attribute.isDerived).map { "\(entity.name).\($0.name)" }
        }
        guard !names.isEmpty else { return }
        Output.note(
            "Note: \(names.joined(separator: ", ")) is computed by triggers, which a new store does not have; it stays empty."
        )
    }

    private func addToExisting(_ content: ImportedContent) throws {
        try store.withStore { store in
            _ = try RowImport(store.model, content).changes(author: nil)
            try Output.standard.line(summary(content))
        }
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        guard try options.confirm("Import \(Amounts.count(content.rows.count, "row"))?") else {
            return Output.note("Nothing was imported.")
        }
        try options.writing(store.url) { opened in
            try save(RowImport(opened.store.model, content).changes(author: "modelstore"), opened.store)
        }
    }

    private func summary(_ content: ImportedContent) -> String {
        let counts = content.counts.map { "\(Amounts.count($0.count)) \($0.entity)" }
        return counts.isEmpty ? "There is nothing to import." : "To import: \(counts.joined(separator: ", "))."
    }

    private func save(_ changes: ChangeSet, _ store: SQLiteStore) throws {
        let progress = ProgressLine("Importing")
        defer { progress.end() }
        let result = try Interruption.stopping(store) { try store.save(changes) }
        progress.end()
        guard case .saved(let rows) = result else {
            throw InspectionError.badInput("The store changed meanwhile; try again.")
        }
        let replaced = rows.inserted.filter(\.replaced).count
        let note = replaced > 0 ? ", \(Amounts.count(replaced)) of them into rows that were there" : ""
        try Output.standard.line("\(Amounts.count(rows.inserted.count, "row")) imported\(note).")
    }
}
