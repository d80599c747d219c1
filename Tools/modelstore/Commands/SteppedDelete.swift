import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// Runs a delete in steps, and explains how to restore the rows, or to resume the delete if it ends early.
struct SteppedDelete {
    let store: StoreArgument
    let options: WriteOptions
    let format: FormatOptions

    /// - Throws: `Stopped`, `InspectionError`; the message includes how many rows were deleted.
    func run(_ job: DeleteJob, _ opened: WritableStore) throws {
        let before = job.current.rowsDone
        let progress = ProgressLine("Deleting")
        defer { progress.end() }
        do {
            try Interruption.stopping({ job.cancel(.afterChunk) }) {
                while job.current.phase != .finished {
                    let now = try job.step()
                    progress.update(Int64(now.rowsDone), of: Int64(now.rowsTotal))
                }
            }
        } catch {
            progress.end()
            throw try ending(of: job, opened, before: before, error)
        }
        progress.end()
        try DeleteReport(store: store, options: options, format: format).write(
            job.current.rowsDone, before: before, Self.token(of: job), opened)
    }

    private static func token(of job: DeleteJob) -> RecoveryToken? {
        job.options.keeping == .everyChunk && job.current.rowsDone > 0 ? RecoveryToken(uuid: job.id) : nil
    }

    /// Finished steps remain, and are reported as JSON, too. The record of a delete that deleted nothing is removed.
    private func ending(
        of job: DeleteJob, _ opened: WritableStore, before: Int, _ error: any Error
    ) throws -> any Error {
        let done = job.current.rowsDone
        if done == 0, (try? opened.store.discardJob(job.id)) != nil { return error }
        if !format.isTable {
            try DeleteReport(store: store, options: options, format: format).write(
                done, before: before, Self.token(of: job), opened)
        }
        var lines = ["\(Amounts.count(done, "row")) had gone already."]
        if job.current.phase != .finished {
            lines.append("Go on with: \(store.command("delete", "--resume \(job.id)", options))")
            lines.append("Leave the rest for good: \(store.command("delete", "--drop \(job.id)", options))")
        }
        if let token = Self.token(of: job) {
            lines.append("Restore the deleted rows: \(store.command("restore", "\(token)", options))")
        }
        let text = lines.joined(separator: "\n")
        if Interruption.isRequested { return Stopped(message: "Stopped. " + text) }
        return InspectionError.badInput("\(Failure.text(error))\n\(text)")
    }
}

/// The report at the end of a delete.
struct DeleteReport {
    let store: StoreArgument
    let options: WriteOptions
    let format: FormatOptions

    /// - Parameters:
    ///   - count: the number of deleted rows.
    ///   - before: how many of them were deleted before this run of the command.
    func write(_ count: Int, before: Int = 0, _ token: RecoveryToken?, _ opened: WritableStore?) throws {
        let earlier = before > 0 ? ", \(Amounts.count(before)) of them before" : ""
        var report = Report(
            "\(Amounts.count(count, "row")) deleted\(earlier).",
            [InspectedField("deleted", .count(count)), InspectedField("token", .optional(token?.description))])
        if let token {
            report.lines.append(TonedLine("Take it back with: \(store.command("restore", "\(token)", options))"))
        }
        report.fields.append(InspectedField("backup", .optional(opened?.backup?.path)))
        try format.write(report)
    }
}
