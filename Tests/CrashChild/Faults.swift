import CFaultVFS
import Foundation
import ObjectGraph
import SQLiteStore

/// Deletes during which one call to the file system fails, or all calls from one on.
final class Faults {
    let template: CrashWorld
    let folder: String
    let before: CrashWorld.Contents
    let after: CrashWorld.Contents
    /// The number of cases that ended in an error.
    private var errorCount = 0
    /// The number of calls for files of large values.
    private var fileCallCount = 0

    init(_ template: CrashWorld, folder: String, after: CrashWorld.Contents) throws {
        self.template = template
        self.folder = folder
        self.after = after
        before = try template.contents()
    }

    struct Case {
        let kind: FaultKind
        let stays: Bool
        let nth: Int
        var text: String { "fault \(kind.rawValue)\(stays ? " from" : " at") call \(nth)" }
    }

    enum Files {
        case touched
        case untouched
    }

    static let kinds: [(FaultKind, Bool)] = [
        (FaultIOError, false), (FaultIOError, true), (FaultFull, false), (FaultFull, true), (FaultBusy, false),
        (FaultBusy, true), (FaultDenied, false), (FaultDenied, true),
    ]

    /// The calls that fail, one in each case.
    struct Places {
        /// How far apart they are; with 1 every call fails.
        let distance: Int
        /// Which of the calls that far apart.
        let offset: Int

        /// The first one for a kind of fault, by the number of the kind: all kinds together hit every call.
        func first(of kind: Int) -> Int { 1 + (offset + kind) % distance }
    }

    /// Fails one call after the other, until there are no more.
    /// - Parameter files: whether files of large values are written or removed.
    /// - Returns: the number of cases, if at least half of them ended in an error: otherwise the faults had no effect.
    func all(_ places: Places, files: Files = .touched, _ check: (Case) throws -> Bool) throws -> Int {
        var count = 0
        errorCount = 0
        fileCallCount = 0
        for (number, (kind, stays)) in Self.kinds.enumerated() {
            var nth = places.first(of: number)
            while try check(Case(kind: kind, stays: stays, nth: nth)) {
                count += 1
                nth += places.distance
            }
        }
        guard errorCount * 2 >= count else { throw CrashProblem("\(errorCount) errors in \(count) cases") }
        if fault_has_files() == 1, (fileCallCount > 0) != (files == .touched) {
            throw CrashProblem("\(fileCallCount) calls for files")
        }
        return count
    }

    // MARK: One transaction

    /// The transaction during which calls fail, and the contents of the file afterwards.
    struct Act {
        let work: (SQLiteStore) throws -> Void
        let before: CrashWorld.Contents
        let after: CrashWorld.Contents
    }

    /// The old or the new state, nothing in between; an error is an error and a success is one. A superfluous file may stay.
    /// - Returns: whether the fault occurred.
    func whole(_ act: Act, _ fault: Case, _ problems: inout [String]) throws -> Bool {
        let world = try template.copy(to: folder)
        var failed: (any Error)?
        var calls = 0
        do {
            let store = try world.open()
            fault_arm(fault.kind, fault.nth, fault.stays ? 1 : 0)
            do { try act.work(store) } catch {
                failed = error
                errorCount += 1
            }
            fileCallCount += Int(fault_file_calls())
            calls = Int(fault_disarm())
            // As another process finds it if this one dies now: what SQLite wrote, whatever it reported.
            if failed != nil {
                try findings(at: world.copy(to: folder + "-dead"), act, fault.text + ", dead", &problems)
            }
        }
        let found = try findings(at: world, act, fault.text, &problems)
        if failed == nil, found != act.after { problems.append("\(fault.text): reported as done, but not done") }
        if let failed, !Self.isClear(failed) { problems.append("\(fault.text): \(failed)") }
        return calls >= fault.nth
    }

    @discardableResult
    private func findings(
        at world: CrashWorld, _ act: Act, _ moment: String, _ problems: inout [String]
    ) throws -> CrashWorld.Contents {
        let found = try world.contents(.included)
        problems += try world.problems().map { "\(moment): \($0)" }
        if found != act.before, found != act.after { problems.append("\(moment): neither before nor after") }
        return found
    }

    /// The error names the failure: SQLite's own, or the file.
    private static func isClear(_ error: any Error) -> Bool { error is SQLiteError || error is ExternalDataError }

    /// The same for a migration.
    /// - Returns: whether the fault occurred.
    func migration(_ fault: Case, _ problems: inout [String]) throws -> Bool {
        let world = try template.copy(to: folder)
        fault_arm(fault.kind, fault.nth, fault.stays ? 1 : 0)
        var failed: (any Error)?
        var outcome = StoreMigration.Outcome.nothingToDo
        do { outcome = try world.migrate() } catch { failed = error }
        let calls = Int(fault_disarm())
        // A file that cannot be read is left for opening to refuse.
        if outcome == .nothingToDo { errorCount += 1 }
        let found = try world.contents()
        problems += try world.problems().map { "\(fault.text): \($0)" }
        if found != before, found != after { problems.append("\(fault.text): neither before nor after") }
        if outcome == .migrated, found != after { problems.append("\(fault.text): reported as done, but not done") }
        if let failed, !Self.isClear(failed) { problems.append("\(fault.text): \(failed)") }
        return calls >= fault.nth
    }

    // MARK: Chunks

    /// After the error the file obeys the rules, and the job continues in the same process, or another, to its end.
    func chunked(_ fault: Case, _ problems: inout [String]) throws -> Bool {
        let world = try template.copy(to: folder)
        var calls = 0
        do {
            let store = try world.open()
            let job = try store.startJob(try CrashWorld.request(store), Crashes.options())
            fault_arm(fault.kind, fault.nth, fault.stays ? 1 : 0)
            var failed: (any Error)?
            do { while try job.step().phase != .finished {} } catch { failed = error }
            fileCallCount += Int(fault_file_calls())
            calls = Int(fault_disarm())
            if let failed {
                errorCount += 1
                problems += try world.problems().map { "\(fault.text): \($0)" }
                if !Self.isClear(failed) { problems.append("\(fault.text): \(failed)") }
                // Half of them continue as they are, the others are resumed.
                let isOver = try store.jobs().isEmpty
                let next = fault.nth % 2 == 0 || isOver ? job : try store.resumeJob(job.id)
                while try next.step().phase != .finished {}
                if next.current.rowsDone != after.deletions.count {
                    problems.append("\(fault.text): \(next.current.rowsDone) rows counted")
                }
            }
        }
        problems += try world.problems().map { "\(fault.text), at the end: \($0)" }
        if try world.contents() != after { problems.append("\(fault.text): another end") }
        if try world.hasJobTable { problems.append("\(fault.text): the job table stayed") }
        // Files that cannot be removed at all stay, and nothing else.
        let oldFiles: CrashWorld.OldFiles = fault.kind == FaultDenied && fault.stays ? .allowed : .refused
        problems += try CrashWorld.findings(try world.open(), fault.text + ", at the end", oldFiles: oldFiles)
        return calls >= fault.nth
    }
}
