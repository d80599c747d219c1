import Foundation
import ObjectGraph
import StoreInspection

/// How far a delete, or taking one back, is.
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
        /// It could not be done; nothing was changed by the step that failed.
        case failed
    }

    /// Of the work; also of the delete, where that is done in steps.
    let id: UUID
    var phase: Phase
    /// `3 Category and 1,204 more rows`.
    let subject: String
    /// Rows, or bytes while the file is copied.
    var done = 0
    var total: Int
    var isInSteps = false
    /// What to take back: one token, or that of the steps.
    var token: RecoveryToken?
    var problem: String?
    var backup: URL?

    var isUnderWay: Bool {
        switch phase {
        case .copying, .deleting, .stopping, .restoring, .forgetting: true
        case .stopped, .deleted, .restored, .forgotten, .failed: false
        }
    }

    var mayStop: Bool { phase == .copying || phase == .deleting }
    var mayUndo: Bool { token != nil && (phase == .deleted || (phase == .stopped && done > 0)) }
    var mayResume: Bool { phase == .stopped && isInSteps && done < total }

    /// From 0 to 1.
    var share: Double { total > 0 ? min(1, max(0, Double(done) / Double(total))) : phase == .deleted ? 1 : 0 }

    var title: String {
        switch phase {
        case .copying: "Making a backup first"
        case .deleting: "Deleting \(subject)"
        case .stopping: "Stopping after this step"
        case .stopped: done == 0 ? "Stopped; nothing was deleted" : "Stopped on the way"
        case .deleted: "Deleted \(subject)"
        case .restoring: "Bringing back \(subject)"
        case .restored: "Everything is back"
        case .forgetting: "Giving up \(subject)"
        case .forgotten: "Gave up \(subject)"
        case .failed: done == 0 ? "Nothing was done" : "Only a part is back"
        }
    }

    var text: String {
        switch phase {
        case .copying: "\(Amounts.bytes(Int64(done))) of \(Amounts.bytes(Int64(total)))"
        case .deleting, .stopping: "\(Amounts.count(done)) of \(Amounts.count(total, "row")) gone"
        case .stopped:
            done == 0
                ? "The file is as it was."
                : "\(Amounts.count(done)) of \(Amounts.count(total, "row")) are gone. What is left obeys the delete rules."
        case .deleted:
            "\(Amounts.count(done, "row")) gone" + (token == nil ? "." : ", and kept in the file until given up.")
        case .restoring: "\(Amounts.count(done)) of \(Amounts.count(total, "row")) back"
        case .restored: "\(Amounts.count(done, "row")) restored, with the links they had."
        case .forgetting: "\(Amounts.count(done)) of \(Amounts.count(total, "row")) given up"
        case .forgotten: "\(Amounts.count(done, "row")) cannot be brought back any more."
        case .failed:
            done == 0 ? "" : "\(Amounts.count(done, "row")) restored. The rest is kept, and can be brought back later."
        }
    }

    var value: InspectedValue {
        .fields([
            InspectedField("id", .text(id.uuidString)), InspectedField("phase", .text(phase.rawValue)),
            InspectedField("title", .text(title)), InspectedField("text", .text(text)),
            InspectedField("done", .count(done)), InspectedField("total", .count(total)),
            InspectedField("share", .real(share)), InspectedField("underWay", .boolean(isUnderWay)),
            InspectedField("mayStop", .boolean(mayStop)), InspectedField("mayUndo", .boolean(mayUndo)),
            InspectedField("mayResume", .boolean(mayResume)), InspectedField("problem", .optional(problem)),
            InspectedField("backup", .optional(backup?.path)),
        ])
    }
}
