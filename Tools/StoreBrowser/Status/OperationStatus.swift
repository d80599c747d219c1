import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The progress of a delete, an edit, or the undoing of one.
struct OperationStatus: Sendable {
    enum Phase: String, Sendable {
        /// The file is backed up before the first change.
        case copying
        case deleting
        /// The stop button was pressed; the current step is being finished.
        case stopping
        /// Some rows may be deleted; the rest remains.
        case stopped
        case deleted
        case restoring
        case restored
        /// An archived deletion is being discarded.
        case forgetting
        case forgotten
        /// A stopped delete is being given up; it cannot be resumed.
        case dropping
        case dropped
        case saving
        case saved
        /// An edit is being undone.
        case reverting
        case reverted
        /// The operation failed; the failed step changed nothing.
        case failed
    }

    let id: UUID
    var phase: Phase
    /// The delete in steps that is still recorded in the file: it can be resumed, or must be dropped.
    var job: UUID?
    /// The plan that was not carried out, and can be confirmed again.
    var plan: UUID?
    /// The plan that is or was carried out.
    var begun: UUID?
    /// The edit, if the operation is one.
    var edit: EditOperation?
    /// The parameters of the plan's page, to make the plan again.
    var parameters: [(String, String?)] = []
    /// Whether the operation restores rows, in any phase.
    var isRestore = false
    /// The number of known steps after the current one. The operation can be stopped between steps.
    var stepsAfter = 0
    /// `3 Category rows and 1,204 others`.
    let subject: String
    /// Rows, or bytes during the backup.
    var done = 0
    var total: Int
    /// The token to undo the operation: of one archived deletion, or of all steps.
    var token: RecoveryToken?
    var problem: String?
    /// The conflicts that prevent restoring rows.
    var obstacles: RestoreObstacles?
    /// The rows that an unfinished delete of another process has deleted so far, as far as they are archived: `1,000
    /// Line`.
    var gone: String?
    var backup: URL?

    var isUnderWay: Bool {
        switch phase {
        case .copying, .deleting, .stopping, .restoring, .forgetting, .dropping, .saving, .reverting: true
        case .stopped, .deleted, .restored, .forgotten, .dropped, .saved, .reverted, .failed: false
        }
    }

    var mayStop: Bool { phase == .copying || phase == .deleting || (phase == .restoring && stepsAfter > 0) }
    /// After a partial restore, the rest can be undone.
    var mayUndo: Bool {
        if let edit { return edit.reversal != nil && phase == .saved }
        return token != nil && (phase == .deleted || (phase == .stopped && done > 0) || isHalfBack)
    }
    /// Whether all pages show the operation in a bar.
    var isShownOnAllPages: Bool { isUnderWay || mayUndo || isUnfinished || mayReviewAgain || phase == .reverted }
    /// Whether an edit was not saved, and can be reviewed again.
    var mayReviewAgain: Bool { edit != nil && (phase == .failed || phase == .stopped) }
    var mayResume: Bool { phase == .stopped && job != nil && !isRestore }
    private var isHalfBack: Bool { isRestore && done > 0 && (phase == .stopped || phase == .failed) }
    /// Whether a plan failed without effect and may be outdated.
    var mayPlanAgain: Bool {
        !mayTryAgain && !parameters.isEmpty && done == 0 && (phase == .stopped || phase == .failed) && job == nil
    }
    var mayRestoreAgain: Bool { isRestore && phase == .failed && done == 0 && token != nil && job == nil }
    var mayTryAgain: Bool { plan != nil && (phase == .stopped || phase == .failed) }
    /// Whether the user must decide on a stopped delete before another operation can begin.
    var isUnfinished: Bool { !isUnderWay && job != nil }

    /// The status to show if the operation did not finish.
    /// - Parameters:
    ///   - before: the status of the operation it continued, which is still true unless something was done.
    ///   - problem: `nil` if the operation was stopped.
    func ended(_ before: OperationStatus?, because problem: String?) -> OperationStatus {
        let isHalfDone = isRestore ? done > 0 : phase == .deleting || phase == .stopping
        var status = isHalfDone ? self : before ?? self
        if status.isUnderWay {
            // A delete in steps can be resumed.
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

extension OperationStatus {
    /// Shows an unfinished delete of another process.
    init(_ stopped: StoppedDelete) {
        let job = stopped.job
        self.init(
            id: job.id, phase: .stopped, job: job.id, subject: Amounts.count(job.rowsTotal, "row"), done: job.rowsDone,
            total: job.rowsTotal, token: job.options.keeping == .everyChunk ? RecoveryToken(uuid: job.id) : nil)
        gone = stopped.gone
    }
}
