import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The operations on the file, which run on the operation's thread.
extension StoreOperation {
    // MARK: Deleting

    /// - Throws: `DeleteError.storeMoved` if the delete would differ from the plan that was shown.
    func execute(_ shown: ShownPlan) throws {
        let store = try opened()
        if shown.plan.deleted.count > options.rowsPerStep {
            try deleteInSteps(shown, store)
        } else {
            try deleteAtOnce(shown, store)
        }
    }

    private func deleteAtOnce(_ shown: ShownPlan, _ store: SQLiteStore) throws {
        var request = shown.request
        request.recovery = .archived()
        let result = try store.execute(shown.plan, of: request)
        update { status in
            (status.done, status.phase, status.token) = (result.plan.deleted.count, .deleted, result.token)
        }
    }

    private func deleteInSteps(_ shown: ShownPlan, _ store: SQLiteStore) throws {
        var jobOptions = DeleteJobOptions()
        jobOptions.keeping = .everyChunk
        // Small steps keep the progress bar moving and let the user stop soon.
        jobOptions.budget.rows = options.rowsPerStep
        try run(try store.startJob(shown.request, jobOptions, expecting: shown.plan))
    }

    /// Gives up a stopped delete; finished steps remain. Succeeds also if another process finished or dropped it.
    func drop(_ job: UUID) throws {
        let store = try opened()
        do {
            try store.discardJob(job)
        } catch DeleteJobError.unknownJob {}
        update { $0.job = nil }
    }

    // MARK: Restoring

    /// Restores all steps, or none if one of them has a conflict. The delete cannot be resumed afterwards.
    func restore(_ token: RecoveryToken) throws {
        let store = try opened()
        do {
            try restoreSteps(of: token, store)
        } catch RecoveryError.conflicts(let conflicts) {
            let obstacles = RestoreObstacles(conflicts, store)
            update { $0.obstacles = obstacles }
            throw RecoveryError.conflicts(conflicts)
        }
        do {
            try store.discardJobs(of: token)
            update { ($0.phase, $0.job) = (.restored, nil) }
        } catch {
            let text = Problem(error).text
            update { ($0.phase, $0.problem) = (.restored, "The delete is still noted in the file. \(text)") }
        }
    }

    /// Restores the last step first.
    private func restoreSteps(of token: RecoveryToken, _ store: SQLiteStore) throws {
        let kept = try ArchivedDeletionSelection(store.archivedDeletes()).group(token.description)
        let conflicts = try store.conflicts(restoring: kept.inOrderOfRestoring.map(\.token))
        guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
        update { ($0.done, $0.total) = (0, kept.rowCount) }
        let order = kept.inOrderOfRestoring
        for (place, delete) in order.enumerated() {
            try checkStop()
            update { $0.stepsAfter = order.count - place - 1 }
            let result = try store.restore(delete.token, .strict, author: options.author)
            update { $0.done += result.restored.count }
            notifyOfStepBack()
        }
    }
}
