import ArgumentParser
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Deletes in steps that were stopped, killed or failed, and whose record is in the file.
extension DeleteCommand {
    func listUnfinished() throws {
        let records = try store.withStore { try $0.jobs() }
        try format.write(
            ["id", "begun", "gone", "rows", "kept", "author"],
            records.map { record in
                let seconds = record.created.timeIntervalSinceReferenceDate
                return [
                    .text(record.id.uuidString),
                    format.isTable ? .text(DateText.readable(seconds)) : .optional(DateText.exact(seconds)),
                    .count(record.rowsDone), .count(record.rowsTotal), .boolean(record.isArchived),
                    .optional(record.author),
                ]
            }, nothing: "No delete was left unfinished.")
    }

    /// Resumes a delete. The rest is planned again, as other processes may have changed it meanwhile.
    func resumeDelete(_ text: String) throws {
        let (record, rest) = try store.withStore { store in
            let record = try UnfinishedDeletes(store.jobs()).record(text)
            let plan = try store.plan(ofJob: record.id)
            try show(record, plan, store)
            return (record, plan)
        }
        guard options.write else { return Output.note(WriteOptions.dryRun) }
        let question = "Go on, and delete \(Amounts.count(rest.deleted.count, "more row", "more rows"))?"
        guard try options.confirm(question, changing: store.url) else { return Output.note("Nothing was deleted.") }
        try options.writing(store) { opened in
            try SteppedDelete(store: store, options: options, format: format).run(
                opened.store.resumeJob(record.id), opened)
        }
    }

    /// Shows the plan. JSON is written only once, at the end.
    /// - Throws: `ExitCode` if the delete is blocked.
    private func show(_ record: DeleteJobRecord, _ plan: DeletePlan, _ store: SQLiteStore) throws {
        if format.isTable || !options.write || plan.isRefused {
            if format.isTable { try format.write([TonedLine("\(record.state). What is left:")]) }
            let cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
            try format.write(plan, cost: cost, of: store)
        }
        if plan.isRefused { throw ExitCode(Failure.found) }
    }

    /// Removes the record of a delete. Does not ask for confirmation, as no data are lost.
    func removeRecord(_ text: String) throws {
        let record = try store.withStore { try UnfinishedDeletes($0.jobs()).record(text) }
        let fields = [
            InspectedField("id", .text(record.id.uuidString)), InspectedField("gone", .count(record.rowsDone)),
            InspectedField("rows", .count(record.rowsTotal)),
        ]
        guard options.write else {
            try format.write(Report("\(record.state); the others would stay.", fields))
            return Output.note(WriteOptions.dryRun)
        }
        try options.writing(store) { opened in
            try opened.store.discardJob(record.id)
            try format.write(Report("Dropped. \(record.state); the others stay.", fields + [.backup(opened)]))
        }
    }
}
