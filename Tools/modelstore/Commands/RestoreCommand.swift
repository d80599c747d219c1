import ArgumentParser
import ObjectGraph
import SQLiteStore
import StoreInspection

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the rows of a delete.",
        discussion: """
            EXAMPLES
              modelstore restore default.store
              modelstore restore default.store 6F1C… --write
              modelstore restore default.store 6F1C… --write --skip-conflicts
              modelstore restore default.store --forget 6F1C… --write
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: "The token that `delete` printed; its beginning is enough where that is one delete's only.")
    var token: String?

    @Flag(name: .long, help: "Leave out what cannot be restored; it stays archived.")
    var skipConflicts = false

    @Option(name: .long, help: ArgumentHelp("Discard an archived delete, or all of them.", valueName: "token|all"))
    var forget: String?

    @OptionGroup var options: WriteOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if token != nil, forget != nil { throw ValidationError("Give a token to restore or --forget, not both.") }
    }

    func run() throws {
        if let forget { return try discard(forget) }
        guard let token else { return try list() }
        guard options.write else {
            let isPossible = try store.withStore { store in
                try writeReport(of: ArchivedDeletionSelection(store.archivedDeletes()).group(token), store)
            }
            Output.note(WriteOptions.dryRun)
            if !isPossible { throw ExitCode(Failure.found) }
            return
        }
        // Checks for conflicts before the file is opened for writing or backed up.
        try store.withStore { store in
            try checkConflicts(
                restoring: ArchivedDeletionSelection(store.archivedDeletes()).group(token).inOrderOfRestoring, store)
        }
        try options.writing(store) { opened in try restore(token, opened) }
    }

    private func list() throws {
        let deletes = try store.withStore { ArchivedDeletionSelection(try $0.archivedDeletes()).groups }
        try format.write(
            ["token", "deleted", "rows", "links", "kept", "author", "what"],
            deletes.map { delete in
                let seconds = delete.date.timeIntervalSinceReferenceDate
                return [
                    .text(delete.token.description),
                    format.isTable ? .text(DateText.readable(seconds)) : .optional(DateText.exact(seconds)),
                    .count(delete.rowCount), .count(delete.linkCount),
                    format.isTable ? .text(Amounts.bytes(delete.byteCount)) : .integer(delete.byteCount),
                    .optional(delete.author), .text(delete.summary),
                ]
            }, nothing: "No delete can be restored.")
    }

    /// - Returns: whether everything can be restored.
    private func writeReport(of group: ArchivedDeletionGroup, _ store: SQLiteStore) throws -> Bool {
        let conflicts = try store.conflicts(restoring: group.inOrderOfRestoring.map(\.token)).map(\.description)
        var report = Report(
            "\(Amounts.count(group.rowCount, "row")) and \(Amounts.count(group.linkCount, "link")) would come back.",
            [
                InspectedField("rows", .count(group.rowCount)), InspectedField("links", .count(group.linkCount)),
                InspectedField("conflicts", .texts(conflicts)),
            ])
        report.lines += conflicts.map { TonedLine("✗ ", .bad).adding($0) }
        try format.write(report)
        return conflicts.isEmpty
    }

    /// Restores the steps of a delete in reverse order.
    private func restore(_ token: String, _ opened: WritableStore) throws {
        let store = opened.store
        let deletes = try ArchivedDeletionSelection(store.archivedDeletes()).group(token).inOrderOfRestoring
        let progress = ProgressLine("Restoring")
        defer { progress.end() }
        let rule: RestoreRule = skipConflicts ? .skippingConflicts : .strict
        try checkConflicts(restoring: deletes, store)
        var outcome = Outcome()
        for (place, delete) in deletes.enumerated() {
            do {
                try Interruption.stopping(store) {
                    outcome.add(try store.restore(delete.token, rule, author: "modelstore"))
                }
            } catch  where place > 0 {
                progress.end()
                throw try stopped(after: outcome, by: error, opened)
            }
            progress.update(Int64(place + 1), of: Int64(deletes.count))
        }
        for token in RecoveryToken.onePerDelete(deletes.map(\.token)) { try store.discardJobs(of: token) }
        progress.end()
        try writeReport(outcome, opened)
    }

    /// The result of the finished steps.
    private struct Outcome {
        private(set) var restored = 0
        private(set) var updated = RowSet()
        private(set) var skipped: [RestoreConflict] = []

        mutating func add(_ result: SavedRows) {
            restored += result.restored.count
            updated.formUnion(result.updated)
            skipped += result.skipped
        }
    }

    private func writeReport(_ outcome: Outcome, _ opened: WritableStore) throws {
        let (restored, updated, skipped) = (outcome.restored, outcome.updated.count, outcome.skipped)
        var report = Report(
            "\(Amounts.count(restored, "row")) restored; \(Amounts.count(updated, "other row")) linked again.",
            [
                InspectedField("restored", .count(restored)), InspectedField("linkedAgain", .count(updated)),
                InspectedField("leftOut", .texts(skipped.map { $0.text(naming: \.address) })), .backup(opened),
            ])
        report.lines += skipped.map { TonedLine("! left out: ", .warning).adding($0.text(naming: \.address)) }
        try format.write(report)
    }

    /// Finished steps stay restored, and their archives are gone.
    /// - Returns: an error that describes them.
    private func stopped(after outcome: Outcome, by error: any Error, _ opened: WritableStore) throws -> any Error {
        if !format.isTable { try writeReport(outcome, opened) }
        let text =
            "\(Amounts.count(outcome.restored, "row")) had been restored already. Restore the rest with the same command."
        if error is Stopped { return Stopped(message: "Stopped. " + text) }
        return InspectionError.badInput("\(text)\n(\(Failure.text(error)))")
    }

    /// Checks all steps before the first one, so that none is restored if any has a conflict.
    private func checkConflicts(restoring deletes: [ArchivedDelete], _ store: SQLiteStore) throws {
        guard !skipConflicts else { return }
        let conflicts = try store.conflicts(restoring: deletes.map(\.token))
        guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
    }

    private func discard(_ text: String) throws {
        let groups = try store.withStore { try chosen(text, $0) }
        guard !groups.isEmpty else {
            return try format.write(
                Report(
                    "No delete is archived; there is nothing to discard.",
                    [InspectedField("deletes", .count(0)), InspectedField("rows", .count(0))]))
        }
        guard options.write else {
            let rows = groups.map(\.rowCount).saturatingSum()
            let what = "\(Amounts.count(groups.count, "archived delete")) of \(Amounts.count(rows, "row"))"
            try format.write(
                Report(
                    "\(what) would be discarded.",
                    [InspectedField("deletes", .count(groups.count)), InspectedField("rows", .count(rows))]))
            return Output.note(WriteOptions.dryRun)
        }
        // Asks before the file is opened for writing or backed up.
        let question = "Discard \(Amounts.count(groups.map(\.rowCount).saturatingSum(), "row")) for good?"
        guard try options.confirm(question, changing: store.url) else { return Output.note("Nothing was discarded.") }
        try options.writing(store) { opened in
            let purged = try groups.flatMap(\.steps).flatMap { try opened.store.purge(.token($0.token)) }
            try format.write(
                Report(
                    "\(Amounts.count(groups.count, "archived delete")) discarded.",
                    [
                        InspectedField("deletes", .count(groups.count)),
                        InspectedField("rows", .count(purged.map(\.rowCount).saturatingSum())), .backup(opened),
                    ]))
        }
    }

    private func chosen(_ text: String, _ store: SQLiteStore) throws -> [ArchivedDeletionGroup] {
        let selection = ArchivedDeletionSelection(try store.archivedDeletes())
        return text == "all" ? selection.groups : [try selection.group(text)]
    }
}
