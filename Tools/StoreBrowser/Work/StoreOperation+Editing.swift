import Foundation
import ObjectGraph
import StoreInspection

/// Saves and undoes edits. Each takes one transaction.
extension StoreOperation {
    /// Saves an edit as it was shown.
    /// - Throws: `Problem`.
    func save(_ id: UUID) throws {
        guard let shown = edits.takePlan(id), let plan = shown.plan else {
            // The button was pressed again, perhaps in another tab.
            if let now = status, now.edit?.shown == id, now.isUnderWay || now.phase == .saved { return }
            throw Problem.changeForgotten
        }
        var status = OperationStatus(id: UUID(), phase: .saving, subject: shown.subject, total: plan.rows.count)
        status.edit = EditOperation(shown: id, object: plan.id)
        do {
            try begin(status) { operation in
                let outcome = try plan.save(to: operation.opened(), author: operation.options.author)
                guard case .saved(let reversal) = outcome else { throw Self.changedMeanwhile(outcome) }
                operation.update { status in
                    status.edit?.reversal = reversal
                    (status.phase, status.done) = (.saved, plan.rows.count)
                }
            }
        } catch {
            edits.show(plan, shown.subject, of: id)
            throw error
        }
    }

    /// Undoes the last saved edit if its rows are unchanged since.
    /// - Throws: `Problem`.
    func revert(_ before: OperationStatus, _ reversal: EditReversal) throws {
        var status = before
        (status.phase, status.problem) = (.reverting, nil)
        try begin(status, replacing: before) { operation in
            let outcome = try reversal.save(to: operation.opened(), author: operation.options.author)
            guard case .saved = outcome else { throw Self.changedMeanwhile(outcome) }
            operation.update { status in
                status.edit?.reversal = nil
                status.phase = .reverted
            }
        }
    }

    private static func changedMeanwhile(_ outcome: EditOutcome) -> Problem {
        guard case .changedMeanwhile(let ids) = outcome, let first = ids.first else { return .changeForgotten }
        let rest = ids.count > 1 ? " and \(Amounts.count(ids.count - 1, "other row", "other rows"))" : ""
        let verb = ids.count > 1 ? "were" : "was"
        return Problem(
            .conflict, "Changed meanwhile",
            "\(first.address)\(rest) \(verb) saved or deleted by something else since. Nothing was written.")
    }

    /// The status once the operation is over, or after a short wait.
    func statusAfterShortWait() async -> OperationStatus? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await state in self.states() where !state.isUnderWay { break } }
            group.addTask { try? await Task.sleep(for: .seconds(Self.shortWait)) }
            _ = await group.next()
            group.cancelAll()
        }
        return status
    }

    /// In seconds. The page does not wait longer, for instance for a large backup.
    private static var shortWait: Double { 1.5 }
}
