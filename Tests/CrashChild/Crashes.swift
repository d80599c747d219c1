import CFaultVFS
import Foundation
import ObjectGraph
import SQLiteStore

/// Deletes in chunks that are killed, and checks of the files they leave.
struct Crashes {
    static let rowsPerChunk = 12

    static func options(_ keeping: DeleteJobOptions.Archiving = .none) -> DeleteJobOptions {
        var options = DeleteJobOptions()
        options.budget.rows = rowsPerChunk
        options.budget.links = rowsPerChunk
        options.keeping = keeping
        options.checkpoints = .afterEachChunk
        options.vacuuming = .betweenChunks
        return options
    }

    /// Starts the delete, or resumes it.
    static func job(_ store: SQLiteStore, _ keeping: DeleteJobOptions.Archiving = .none) throws -> DeleteJob {
        if let record = try store.jobs().first { return try store.resumeJob(record.id) }
        return try store.startJob(try CrashWorld.request(store), options(keeping))
    }

    /// Executes the delete; the nth writing call kills the process. With 0 none does.
    /// - Returns: the number of calls.
    static func run(
        _ world: CrashWorld, _ keeping: DeleteJobOptions.Archiving = .none, killAt nth: Int
    ) throws -> Int {
        let store = try world.open()
        fault_arm(FaultKill, nth, 0)
        let job = try job(store, keeping)
        while try job.step().phase != .finished {}
        return Int(fault_disarm())
    }

    /// Restores all archived deletions; the nth writing call kills the process. With 0 none does.
    /// - Returns: the number of calls.
    static func restore(_ world: CrashWorld, killAt nth: Int) throws -> Int {
        let store = try world.open()
        fault_arm(FaultKill, nth, 0)
        try restore(store)
        return Int(fault_disarm())
    }

    /// The last chunk first.
    static func restore(_ store: SQLiteStore) throws {
        for delete in try store.archivedDeletes().reversed() { _ = try store.restore(delete.token, .strict) }
    }

    /// - Parameter original: the contents before the delete; versions of survivors are higher since (DV53).
    /// - Returns: errors of a file whose process was killed while it deleted with an archive, or restored; and errors once the
    ///   delete is finished and restored.
    static func verifyKept(_ world: CrashWorld, original: CrashWorld.Contents) throws -> [String] {
        var problems = try world.problems().map { "after the crash: \($0)" }
        let store = try world.open()
        // Archived rows need their files: none may be missing, and none superfluous.
        problems += try CrashWorld.findings(store, "after the crash")
        if let record = try store.jobs().first {
            let job = try store.resumeJob(record.id)
            while try job.step().phase != .finished {}
            problems += try CrashWorld.findings(store, "after resuming")
        }
        try restore(store)
        problems += try world.problems().map { "after restoring: \($0)" }
        problems += try CrashWorld.findings(store, "after restoring")
        let found = try world.contents()
        for (table, rows) in original.tables where found.tables[table] != rows {
            problems.append("\(table) is not as it was")
        }
        if found.photos != original.photos { problems.append("the photos are not as they were") }
        if try world.hasJobTable { problems.append("tables of ours stayed") }
        return problems
    }

    /// Migrates the file; the nth writing call kills the process. With 0 none does.
    /// - Returns: the number of calls.
    static func migrate(_ world: CrashWorld, killAt nth: Int) throws -> Int {
        fault_arm(FaultKill, nth, 0)
        _ = try world.migrate()
        return Int(fault_disarm())
    }

    /// - Returns: errors of a file whose process was killed while it migrated, before and after the next migration.
    static func verifyMigration(
        _ world: CrashWorld, before: CrashWorld.Contents, after: CrashWorld.Contents
    ) throws -> [String] {
        var problems = try world.problems().map { "after the crash: \($0)" }
        let found = try world.contents()
        if found != before, found != after { problems.append("neither before nor after") }
        let outcome = try world.migrate()
        if (outcome == .migrated) != (found == before) { problems.append("migrated again: \(outcome)") }
        if try world.contents() != after { problems.append("another end than without a crash") }
        let store = try SQLiteStore(model: try CrashWorld.laterModel(), location: .file(world.url))
        return problems + (try CrashWorld.findings(store, "after migrating"))
    }

    /// - Parameter expected: the result of the same delete in one transaction.
    /// - Returns: errors of a file whose process was killed, before and after the delete is resumed.
    static func verify(_ world: CrashWorld, expected: CrashWorld.Contents) throws -> [String] {
        var problems = try world.problems().map { "after the crash: \($0)" }
        let before = try world.contents()
        let store = try world.open()
        problems += try CrashWorld.findings(store, "after the crash", oldFiles: .allowed)
        let gone = before.deletions.count
        // Without a record it had not begun, or all rows were deleted.
        let isUnderWay = try !store.jobs().isEmpty
        if !isUnderWay, gone != 0, gone != expected.deletions.count { problems.append("the record is lost") }
        let job = try job(store)
        if isUnderWay, job.current.rowsDone != gone {
            problems.append("\(job.current.rowsDone) rows counted, \(gone) gone")
        }
        while try job.step().phase != .finished {}
        problems += try world.problems().map { "after resuming: \($0)" }
        problems += try CrashWorld.findings(store, "after resuming")
        if try world.contents() != expected { problems.append("another end than that of one transaction") }
        if isUnderWay, job.current.rowsDone != expected.deletions.count {
            problems.append("\(job.current.rowsDone) rows counted, not \(expected.deletions.count)")
        }
        if try world.hasJobTable { problems.append("the job table stayed") }
        return problems
    }
}
