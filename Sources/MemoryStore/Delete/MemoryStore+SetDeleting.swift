import ObjectGraph

extension MemoryStore: SetDeleting {
    package var openingWarnings: [DeleteRuleWarning] { [] }

    package func commitMarker() throws -> CommitMarker? { CommitMarker(ownWrites: rows.writeCount, othersVersion: 0) }

    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result { try body(rows) }

    package func plan(_ request: DeleteRequest) throws -> DeletePlan { try DeletePlanner.plan(request, rows) }

    /// Reports only dangling references, as there are no other costs in memory.
    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        var cost = DeleteCost()
        cost.dangling = try DanglingLinks.links(after: plan, rows)
        return cost
    }

    package func delete(
        _ request: DeleteRequest, beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        try performDelete(request, beforeCommit) { try DeletePlanner.plan(request, $0) }
    }

    /// `nil`, as the history always requires the identities.
    package func deleteUnseen(_ query: Query) throws -> Int? { nil }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> SavedRows {
        try performDelete(request, { _ in }) { rows in
            guard try DeletePlanner.plan(request, rows) == plan else { throw DeleteError.storeMoved }
            return plan
        }
    }

    /// Plans and executes a deletion in one transaction.
    private func performDelete(
        _ request: DeleteRequest, _ beforeCommit: (SavedRows) throws -> Void, _ plan: (Rows) throws -> DeletePlan
    ) throws -> SavedRows {
        let result = try transaction { rows in
            var result = SavedRows(try plan(rows))
            try rows.execute(result.plan, of: request)
            if !result.plan.isEmpty {
                result.transactionNumber = rows.history.endTransaction(
                    author: request.author, contextName: request.contextName)
                result.token = request.recovery.token
            }
            try request.observer?.willCommit(pagesOf: result.plan.deleted)
            try beforeCommit(result)
            return result
        }
        if !result.plan.isEmpty { request.observer?.didCommit(result) }
        return result
    }
}
