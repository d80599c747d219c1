import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// How far a delete, an edit, or taking one back, is.
struct WorkStatus: Sendable {
    enum Phase: String, Sendable {
        /// The file is copied before it is changed.
        case copying
        case deleting
        /// Stop was pressed; the step under way is brought to its end.
        case stopping
        /// Some may have gone; the rest is still there.
        case stopped
        case deleted
        case restoring
        case restored
        /// What was kept of a delete is given up.
        case forgetting
        case forgotten
        /// A delete that was stopped is left as it is, and not gone on with any more.
        case dropping
        case dropped
        case saving
        case saved
        /// An edit is undone.
        case reverting
        case reverted
        /// It could not be done; nothing was changed by the step that failed.
        case failed
    }

    let id: UUID
    var phase: Phase
    /// The delete in steps that the file still knows of: it can be gone on with, or has to be dropped.
    var job: UUID?
    /// The plan that was not carried out, and can be confirmed again.
    var plan: UUID?
    /// The plan that is carried out, or was.
    var begun: UUID?
    /// Of an edit, what it was.
    var edit: EditWork?
    /// What the plan was asked for, to make it again.
    var wish: [(String, String?)] = []
    /// Whether rows are brought back, in whatever phase that is.
    var isRestore = false
    /// Steps that follow the one under way, as far as they are known; between two of them it can be stopped.
    var stepsAfter = 0
    /// `3 Category rows and 1,204 others`.
    let subject: String
    /// Rows, or bytes while the file is copied.
    var done = 0
    var total: Int
    /// What to take back: one token, or that of the steps.
    var token: RecoveryToken?
    var problem: String?
    /// What is in the way of bringing rows back.
    var obstacles: RestoreObstacles?
    /// Of a delete that somebody else did not bring to its end: `1,000 Line`, as far as it is kept.
    var gone: String?
    var backup: URL?

    var isUnderWay: Bool {
        switch phase {
        case .copying, .deleting, .stopping, .restoring, .forgetting, .dropping, .saving, .reverting: true
        case .stopped, .deleted, .restored, .forgotten, .dropped, .saved, .reverted, .failed: false
        }
    }

    var mayStop: Bool { phase == .copying || phase == .deleting || (phase == .restoring && stepsAfter > 0) }
    /// Of what was brought back in part, the rest.
    var mayUndo: Bool {
        if let edit { return edit.reversal != nil && phase == .saved }
        return token != nil && (phase == .deleted || (phase == .stopped && done > 0) || isHalfBack)
    }
    /// Whether all pages show it in a bar.
    var isToTell: Bool { isUnderWay || mayUndo || isUnfinished || mayReviewAgain || phase == .reverted }
    /// Whether an edit was not saved, and can be looked at again.
    var mayReviewAgain: Bool { edit != nil && (phase == .failed || phase == .stopped) }
    var mayResume: Bool { phase == .stopped && job != nil && !isRestore }
    private var isHalfBack: Bool { isRestore && done > 0 && (phase == .stopped || phase == .failed) }
    /// Whether nothing came of a plan, which may not hold any more.
    var mayPlanAgain: Bool {
        !mayTryAgain && !wish.isEmpty && done == 0 && (phase == .stopped || phase == .failed) && job == nil
    }
    var mayRestoreAgain: Bool { isRestore && phase == .failed && done == 0 && token != nil && job == nil }
    var mayTryAgain: Bool { plan != nil && (phase == .stopped || phase == .failed) }
    /// Whether something is left to decide, before anything else is begun.
    var isUnfinished: Bool { !isUnderWay && job != nil }

    /// What is told when the work did not come to its end.
    /// - Parameters:
    ///   - before: what it went on from, which is as it was unless some of the work was done.
    ///   - problem: `nil` where it was stopped.
    func ended(_ before: WorkStatus?, because problem: String?) -> WorkStatus {
        let isHalfDone = isRestore ? done > 0 : phase == .deleting || phase == .stopping
        var status = isHalfDone ? self : before ?? self
        if status.isUnderWay {
            // Of a delete in steps, what is left can be gone on with.
            let mayGoOn = status.job != nil && !status.isRestore
            status.phase = problem == nil || mayGoOn ? .stopped : .failed
        }
        status.stepsAfter = 0
        status.backup = backup
        status.problem = problem
        status.obstacles = obstacles
        return status
    }

    /// From 0 to 1.
    var share: Double { total > 0 ? min(1, max(0, Double(done) / Double(total))) : phase == .deleted ? 1 : 0 }

    var title: String {
        switch phase {
        case .copying: "Making a backup first"
        case .deleting: "Deleting \(subject)"
        case .stopping: "Stopping after this step"
        case .stopped where done == 0: "Stopped. \(undone): \(subject)"
        case .stopped: "\(isRestore ? "Partly restored" : "Stopped part way"): \(subject)"
        case .deleted: "Deleted \(subject)"
        case .restoring: "Restoring \(subject)"
        case .restored: "Restored \(subject)"
        case .forgetting: "Discarding \(subject)"
        case .forgotten: "Discarded \(subject)"
        case .dropping: "Ending the delete: \(subject)"
        case .dropped: "Kept as is: \(subject)"
        case .saving: "Changing \(subject)"
        case .saved: "Changed \(subject)"
        case .reverting: "Undoing the change of \(subject)"
        case .reverted: "Undid the change of \(subject)"
        case .failed: "\(done == 0 ? undone : "Partly restored"): \(subject)"
        }
    }

    private var undone: String {
        if isRestore { return "Not restored" }
        if edit != nil { return "Not changed" }
        return begun == nil && job == nil ? "Not discarded" : "Not deleted"
    }

    var text: String {
        switch phase {
        case .copying: total == 0 ? "" : "\(Amounts.bytes(Int64(done))) of \(Amounts.bytes(Int64(total)))"
        case .deleting, .stopping, .restoring:
            "\(Amounts.count(done)) of \(Amounts.count(total, "row")) \(isRestore ? "restored" : "deleted")"
        case .stopped where isRestore && done > 0:
            "\(Amounts.count(done)) of \(Amounts.count(total, "row")) restored. The rest is kept, and can be restored later."
        case .stopped:
            done == 0
                ? "The file is as it was."
                : "\(Amounts.count(done)) of \(Amounts.count(total, "row")) deleted\(gone.map { ": " + $0 } ?? ""). What is left obeys the delete rules."
        case .deleted:
            "\(Amounts.count(done, "row")) deleted" + (token == nil ? "." : ", and kept in the file until discarded.")
        case .restored: "\(Amounts.count(done, "row")) restored, with the links they had."
        case .forgetting: "\(Amounts.count(done)) of \(Amounts.count(total, "row")) discarded"
        case .forgotten: "\(Amounts.count(done, "row")) cannot be restored any more."
        case .dropping, .saving, .reverting: ""
        case .dropped:
            "The delete cannot be resumed any more."
                + (token == nil ? "" : " What it deleted is kept in the file until discarded.")
        case .saved: "\(Amounts.count(done, "row")) written."
        case .reverted: "All values are as they were before."
        case .failed:
            done == 0
                ? "" : "\(Amounts.count(done, "row")) restored. The rest is kept, and can be restored later."
        }
    }

    var value: InspectedValue {
        .fields([
            InspectedField("id", .text(id.uuidString)), InspectedField("phase", .text(phase.rawValue)),
            InspectedField("title", .text(title)), InspectedField("text", .text(text)),
            InspectedField("subject", .text(subject)),
            InspectedField("done", .count(done)), InspectedField("total", .count(total)),
            InspectedField("share", .real(share)), InspectedField("underWay", .boolean(isUnderWay)),
            InspectedField("mayStop", .boolean(mayStop)), InspectedField("mayUndo", .boolean(mayUndo)),
            InspectedField("mayResume", .boolean(mayResume)),
            InspectedField("plan", .optional(mayTryAgain ? plan?.uuidString : nil)),
            InspectedField("problem", .optional(problem)),
            InspectedField("obstacles", obstacles?.value ?? .list([])),
            InspectedField("backup", .optional(backup?.path)),
        ])
    }
}

/// A delete that was begun and neither brought to its end nor dropped.
struct StoppedDelete: Sendable {
    let job: DeleteJobRecord
    /// What it took so far, where that is kept.
    let gone: String?

    /// All of a file.
    /// - Throws: what reading throws.
    static func all(_ store: SQLiteStore) throws -> [StoppedDelete] {
        let kept = KeptSelection(try store.keptDeletes())
        return try store.jobs().map { job in
            StoppedDelete(job: job, gone: try? kept.group(RecoveryToken(uuid: job.id).description).subject)
        }
    }
}

extension WorkStatus {
    /// Of a delete that somebody else did not bring to its end.
    init(_ stopped: StoppedDelete) {
        let job = stopped.job
        self.init(
            id: job.id, phase: .stopped, job: job.id, subject: Amounts.count(job.rowsTotal, "row"), done: job.rowsDone,
            total: job.rowsTotal, token: job.options.keeping == .everyChunk ? RecoveryToken(uuid: job.id) : nil)
        gone = stopped.gone
    }
}
