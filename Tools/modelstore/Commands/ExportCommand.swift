import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write rows as JSON or CSV, links included.",
        discussion: """
            JSON is one document, ndjson an object in each line, CSV a folder with a file for each entity, or the rows of one \
            entity on standard output. Dates are in \
            UTC and in full, bytes as base64, links by address (Item/p12).

            EXAMPLES
              modelstore export default.store > all.json
              modelstore export default.store --format ndjson -o all.ndjson
              modelstore export default.store --format csv -o folder
              modelstore export default.store --entity Item --format csv > items.csv
              modelstore export default.store --entity Item --where "owner == nil"
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case json, ndjson, csv
    }

    @OptionGroup var store: StoreArgument

    @Option(
        name: .long, help: ArgumentHelp("Only this entity; may be given several times.", valueName: "entity"),
        completion: NameCompletion.entities)
    var entity: [String] = []

    @Option(
        name: [.customShort("w"), .customLong("where")],
        help: ArgumentHelp(
            "Which rows of the one entity given.", valueName: "predicate"))
    var predicate: String?

    @Option(name: .long, help: "How to write: json, ndjson, csv.")
    var format: Form = .json

    @Option(
        name: [.short, .long], help: ArgumentHelp("Write to this file, or folder for CSV.", valueName: "path"),
        completion: .file())
    var output: String?

    func validate() throws {
        if predicate != nil, entity.count != 1 { throw ValidationError("--where needs exactly one --entity.") }
        if let output { try store.checkIsNoPart(output) }
        if format == .csv, output == nil, entity.count != 1 {
            throw ValidationError("CSV of several entities is a folder: give --output, or one --entity.")
        }
    }

    func run() throws {
        guard let output else {
            let done = try export { export, reading, reportRows in
                if format == .csv {
                    return try export.writeCSV(reading, progress: reportRows) { try Output.standard.write($0) }
                }
                try export.writeJSON(reading, lines: format == .ndjson, progress: reportRows) {
                    try Output.standard.write($0)
                }
            }
            return try MarkedValues.report(of: [done.unreadable])
        }
        let isFolder = format == .csv
        let unfinished = try UnfinishedOutput(
            URL(fileURLWithPath: output, isDirectory: isFolder), isFolder: isFolder)
        var unreadable: UnreadableCells?
        do {
            // Moves the output to its final name only after the file has been verified to be unchanged.
            let done = try export { export, reading, reportRows in
                try write(export, reading, to: unfinished.url, reportRows)
            }
            try unfinished.finish()
            Output.note("\(Amounts.count(done.total, "row")) exported.")
            unreadable = done.unreadable
        } catch {
            unfinished.remove()
            throw error
        }
        try MarkedValues.report(of: [unreadable])
    }

    /// - Returns: the number of rows.
    private func export(
        _ body: (StoreExport, StoreReading, _ reportRows: (Int) throws -> Void) throws -> Void
    ) throws -> (total: Int, unreadable: UnreadableCells?) {
        try store.reading { store, reading in
            let progress = ProgressLine("Exporting")
            defer { progress.end() }
            let export = try StoreExport(
                store.model, entities: entity, predicate: predicate, identifier: store.identifier)
            let total = try export.count(reading)
            let reportRows: (Int) throws -> Void = { done in
                progress.update(Int64(done), of: Int64(total))
                try Interruption.check()
            }
            try body(export, reading, reportRows)
            return (total, reading.unreadable)
        }
    }

    private func write(_ export: StoreExport, _ reading: StoreReading, to url: URL, _ reportRows: (Int) throws -> Void)
        throws
    {
        if format == .csv { return try export.writeCSV(reading, to: url, progress: reportRows) }
        let file = try TextFile(url)
        try export.writeJSON(reading, lines: format == .ndjson, progress: reportRows) { try file.write($0) }
        try file.finish()
    }
}
