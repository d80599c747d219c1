/// One delete in several stores: written in all of them before it is committed in any.
package struct GroupDelete {
    /// In the order of writing.
    private let shares: [DeleteShare]
    private let mostRows: Int?

    /// - Parameter mostRows: of all stores together.
    package init(_ shares: [DeleteShare], mostRows: Int?) {
        self.shares = shares.sorted { $0.identifier < $1.identifier }
        self.mostRows = mostRows
    }

    /// What would be done now.
    /// - Throws: `DeleteError.tooManyRows`.
    package func plan() throws -> DeletePlan {
        let plan = try shares.reduce(into: DeletePlan()) { $0.append(try $1.store.plan($1.request)) }
        try checkLimit(plan)
        return plan
    }

    /// - Parameter beforeCommit: runs inside all transactions, with what was written.
    /// - Throws: `DeleteError`, what the stores and observers throw; nothing is written then.
    package func run(beforeCommit: (DeleteResult) throws -> Void = { _ in }) throws -> DeleteResult {
        if shares.count == 1, let only = shares.first {
            return try only.store.delete(only.request, beforeCommit: beforeCommit)
        }
        var written: [DeleteResult] = []
        var committed: [DeleteResult] = []
        try run(shares[...], &written, &committed) { result in
            try checkLimit(result.plan)
            try beforeCommit(result)
        }
        for (share, result) in zip(shares, committed.reversed()) where !result.plan.isEmpty {
            share.request.observer?.didCommit(result)
        }
        return joined(written)
    }

    /// - Throws: `DeleteError.storeMoved` when something else would be done; nothing is written then.
    package func execute(_ plan: DeletePlan) throws -> DeleteResult {
        if shares.count == 1, let only = shares.first { return try only.store.execute(plan, of: only.request) }
        return try run { result in
            guard result.plan == plan else { throw DeleteError.storeMoved }
        }
    }

    /// Deletes in the first store, and in the others inside its transaction.
    private func run(
        _ shares: ArraySlice<DeleteShare>, _ written: inout [DeleteResult], _ committed: inout [DeleteResult],
        _ beforeCommit: (DeleteResult) throws -> Void
    ) throws {
        guard let share = shares.first else { return try beforeCommit(joined(written)) }
        var request = share.request
        request.observer = request.observer.map(ObserverOfAll.init)
        let result = try share.store.delete(request) { result in
            written.append(result)
            try run(shares.dropFirst(), &written, &committed, beforeCommit)
        }
        committed.append(result)
    }

    /// Without the number of a transaction: each store counts its own history.
    private func joined(_ results: [DeleteResult]) -> DeleteResult {
        var joined = DeleteResult(results.reduce(into: DeletePlan()) { $0.append($1.plan) })
        joined.token = results.lazy.filter { !$0.plan.isEmpty }.compactMap(\.token).first
        return joined
    }

    private func checkLimit(_ plan: DeletePlan) throws {
        let count = plan.deleted.count
        if let mostRows, count > mostRows { throw DeleteError.tooManyRows(count: count, limit: mostRows) }
    }
}

/// Passes on what is about to be committed. Of the commits, the delete itself informs the observer once all are done.
private final class ObserverOfAll: DeleteObserver {
    private let observer: any DeleteObserver

    init(_ observer: any DeleteObserver) { self.observer = observer }

    func willCommit(_ page: RowSet) throws { try observer.willCommit(page) }
}
