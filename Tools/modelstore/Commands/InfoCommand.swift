import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "What a file is: versions, sizes, rows.",
        discussion: """
            Shows whether the model in the file is the one it was last written with, by comparing version hashes.

            EXAMPLES
              modelstore info default.store
              modelstore info default.store --format json
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var format: FormatOptions

    func run() throws {
        try store.inspecting { file in
            let summary = try StoreSummary(file) { store, read in try Interruption.stopping(store, read) }
            try Interruption.check()
            switch format.format {
            case .json, .ndjson: try format.write(summary.value)
            case .csv: try writeCounts(summary)
            case .table:
                for line in InfoText(summary, title: store.file).lines {
                    try Output.standard.line(Terminal.paint(line))
                }
                if !summary.counts.isEmpty {
                    try Output.standard.line()
                    try writeCounts(summary)
                }
            }
            // A file without a stored model is valid; a stored model that cannot be read means damage.
            if file.facts.model == nil, file.facts.modelCacheSize > 0 { throw ExitCode(Failure.found) }
        }
    }

    private func writeCounts(_ summary: StoreSummary) throws {
        guard let model = summary.file.shownModel, !summary.counts.isEmpty else { return }
        let records: [[InspectedValue]] = ModelOutline.sorted(model).map { entity in
            [
                .text((format.isTable ? ModelOutline.indentation(of: entity, in: model) : "") + entity.name),
                .count(summary.counts[entity.index]), .count(entity.attributes.count),
                .count(entity.relationships.count),
            ]
        }
        try format.write(
            ["entity", "rows", "attributes", "relationships"], records, nothing: "The model has no entities.")
    }
}

/// A store's summary as text: one label and one value a line.
struct InfoText {
    private let summary: StoreSummary
    private let title: String

    /// - Parameter title: the path as typed.
    init(_ summary: StoreSummary, title: String) {
        self.summary = summary
        self.title = title
    }

    private typealias Row = (label: String, line: TonedLine)

    var lines: [TonedLine] {
        let width = rows.map(\.label.count).max() ?? 0
        return [TonedLine(title, .strong)]
            + rows.map { row in
                TonedLine("  " + row.label + String(repeating: " ", count: width - row.label.count + 2), .dim)
                    .adding(row.line)
            }
    }

    private var facts: StoreFileFacts { summary.file.facts }

    private var rows: [Row] {
        var rows: [Row] = [
            ("Kind", TonedLine("\(summary.framework) store")), ("Identifier", TonedLine(facts.metadata?.uuid ?? "")),
            ("Written by", TonedLine("framework \(summary.writtenBy)")), ("Model", model), ("Hashes", hashes),
            ("Size", size), ("Journal", journal), ("History", history),
        ]
        // A missing model has already been reported.
        if let obstacle = summary.obstacle, facts.model != nil { rows.append(("Problem", TonedLine(obstacle, .bad))) }
        if !summary.archivedDeletes.isEmpty {
            let bytes = summary.archivedDeletes.map(\.byteCount).saturatingSum()
            rows.append(
                (
                    "Recoverable",
                    TonedLine(
                        "\(Amounts.count(summary.archivedDeletes.count, "delete")), about \(Amounts.bytes(bytes)) kept")
                ))
        }
        if !summary.jobs.isEmpty {
            let line = TonedLine(Amounts.count(summary.jobs.count, "long delete"), .warning)
            rows.append(("Unfinished", line.adding("; `modelstore delete` has --unfinished for them", .dim)))
        }
        let external = summary.externalFiles
        if external.count > 0 {
            rows.append(
                ("Big values", TonedLine("\(Amounts.count(external.count, "file")), \(Amounts.bytes(external.bytes))")))
        }
        for (place, field) in summary.appMetadata.enumerated() {
            let line = TonedLine("\(field.name): ").adding(CellText.cut(CellText.visible(field.value.cellText), to: 80))
            rows.append((place == 0 ? "App metadata" : "", line))
        }
        if !facts.otherTables.isEmpty {
            rows.append(("Other tables", TonedLine(facts.otherTables.joined(separator: ", "))))
        }
        if !facts.foreignTriggers.isEmpty {
            let names = facts.foreignTriggers.map { "\($0.name) on \($0.table)" }.joined(separator: ", ")
            rows.append(("Triggers", TonedLine(names, .warning).adding("; of other programs", .dim)))
        }
        return rows
    }

    private var model: TonedLine {
        guard let model = facts.model else {
            return TonedLine(facts.modelError ?? "None in the file.", .warning)
                .adding(" The tables are shown as they are; --model gives the app's.", .dim)
        }
        let names = (facts.metadata?.versionIdentifiers ?? []).filter { !$0.isEmpty }
        let version = names.isEmpty ? "" : "version \(names.joined(separator: ", ")), "
        return TonedLine(version + Amounts.count(model.entities.count, "entity", "entities"))
            .adding(
                summary.file.usesGivenModel
                    ? ", given with --model" : ", \(Amounts.bytes(Int64(facts.modelCacheSize))) in the file",
                .dim)
    }

    private var hashes: TonedLine {
        let sums = summary.sumsAgree == false ? TonedLine("; digest or checksum is wrong", .bad) : TonedLine()
        switch summary.hashes {
        case .agree: return TonedLine("the model is the one the file was written with", .good).adding(sums)
        case .differ(let names):
            return TonedLine("differ from the model in the file: \(names.joined(separator: ", "))", .bad).adding(sums)
        case .unknown: return TonedLine("not known", .warning).adding(sums)
        }
    }

    private var size: TonedLine {
        let disk = summary.file.untouched.file
        var text = Amounts.bytes(disk.stamp.size)
        if disk.logSize > 0 { text += " and \(Amounts.bytes(disk.logSize)) in the write-ahead log" }
        let line = TonedLine(text).adding(
            ", \(Amounts.count(facts.pageCount, "page")) of \(Amounts.count(Int(facts.pageSize), "byte"))", .dim)
        guard facts.freePageCount > 0 else { return line }
        return line.adding(", \(Amounts.bytes(summary.freeBytes)) free", .dim)
    }

    private var journal: TonedLine {
        let disk = summary.file.untouched.file
        let mode = disk.header.journalMode == .writeAheadLog ? "write-ahead log" : "rollback journal"
        let state = disk.hasLog ? ", not empty" : disk.hasJournal ? ", left over" : ""
        let use = disk.use == .nobody ? "" : "; open in another process"
        return TonedLine(mode + state).adding(use, .warning)
            .adding(disk.header.libraryVersion.map { "; SQLite \($0)" } ?? "", .dim)
    }

    private var history: TonedLine {
        guard case .recorded(let transactions, let changes, _, let newest, let first, let last) = facts.history else {
            return TonedLine("none")
        }
        guard transactions > 0 else { return TonedLine("kept, empty").adding(newest > 0 ? " (pruned)" : "", .dim) }
        let line = TonedLine("\(Amounts.count(transactions, "transaction")), \(Amounts.count(changes, "change"))")
        guard let first, let last else { return line }
        return line.adding(", \(DateText.readable(first)) to \(DateText.readable(last)) UTC", .dim)
    }
}
